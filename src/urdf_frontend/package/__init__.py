"""The Modelica package of a robot: built from templates, read whoever edited it, and brought up to date.

`robot_package.RobotPackage` knows what a package remembers of its build, and looks everything up in the instance tree
of the robot's model: a component whose name and class are as they were built is its link or joint; else the name in
its record of values tells, then its class, then its own name (`parts`). Nothing is looked up before
somebody asks. Simulations, plots, reports, updates, exports and Python modules all ask it.

`builder/` copies each template out of its library with all its names leading where they led. A clone is reduced once
for all links or joints of a kind, then copied for each; records are constructor calls as values; the robot is filled
with all components and connections at once, in linear time. No text of Modelica is put together anywhere. `record`
there makes a robot one record.

`updates/` gives `modelica_ast.generate` a plan: the base, built again from the URDF file that the package keeps, and
what is generated today. If URDF file, generator, templates and meshes are those of the last time, nothing is built.
`dlr/` does so for packages that URDFModelica's script has made. `memory` also reads what packages kept before.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.generate import (
        BuildError as BuildError,
        FileUpdate as FileUpdate,
        NoBaseError as NoBaseError,
        Question as Question,
        Report as Report,
        UnreadableError as UnreadableError,
        Update as Update,
        UpdateConflict as UpdateConflict,
        UpdateError as UpdateError,
    )
    from urdf_frontend.package.builder.assembly import (
        DifferingPackageError as DifferingPackageError,
        PreviousBuild as PreviousBuild,
        build as build,
        build_models as build_models,
        is_written as is_written,
        library_beside as library_beside,
        robot_files as robot_files,
        with_library as with_library,
        write as write,
    )
    from urdf_frontend.package.builder.documentation import table as table
    from urdf_frontend.package.builder.notes import leftovers as leftovers, motion_notes as motion_notes
    from urdf_frontend.package.builder.options import (
        MODULAR as MODULAR,
        STYLE as STYLE,
        TEMPLATES as TEMPLATES,
        BuildOptions as BuildOptions,
        BuiltPackage as BuiltPackage,
        Summary as Summary,
        Visualisation as Visualisation,
        is_read_as_today as is_read_as_today,
        options_of as options_of,
    )
    from urdf_frontend.package.builder.part_models import (
        JOINTS as JOINTS,
        LINKS as LINKS,
        Parts as Parts,
        link_template as link_template,
        shown_collisions as shown_collisions,
        shown_visuals as shown_visuals,
    )
    from urdf_frontend.package.builder.part_values import (
        CONNECTORS as CONNECTORS,
        ROOT_FRAME as ROOT_FRAME,
        PartValues as PartValues,
        Xy as Xy,
        coordinate_system as coordinate_system,
        flanges as flanges,
        frame_line as frame_line,
        leaf_frames as leaf_frames,
        placement as placement,
        real_of as real_of,
        turned_placement as turned_placement,
    )
    from urdf_frontend.package.builder.record import RecordOptions as RecordOptions, build_record as build_record
    from urdf_frontend.package.builder.resources import (
        Resources as Resources,
        collect_resources as collect_resources,
        named_files as named_files,
    )
    from urdf_frontend.package.builder.robot_model import (
        HANDED_TO_LINKS as HANDED_TO_LINKS,
        TEMPLATE as TEMPLATE,
        Counts as Counts,
        RobotModel as RobotModel,
        class_file as class_file,
        filled as filled,
    )
    from urdf_frontend.package.builder.scaffold import (
        Scaffold as Scaffold,
        inner_package as inner_package,
        package_name as package_name,
        part_files as part_files,
        surroundings_of as surroundings_of,
    )
    from urdf_frontend.package.builder.side_car import (
        FOLDER as FOLDER,
        bytes_of as bytes_of,
        generator as generator,
        kept_files as kept_files,
        names_json as names_json,
        names_of as names_of,
        side_car_of as side_car_of,
        side_car_path as side_car_path,
        with_base as with_base,
    )
    from urdf_frontend.package.memory import (
        PackageError as PackageError,
        PackageMemory as PackageMemory,
        UnreadablePackageError as UnreadablePackageError,
        nameless as nameless,
        read_memory as read_memory,
        read_settings as read_settings,
    )
    from urdf_frontend.package.parts import (
        Kind as Kind,
        Part as Part,
        flange_inside as flange_inside,
        joints_inside as joints_inside,
    )
    from urdf_frontend.package.robot_package import RobotPackage as RobotPackage
    from urdf_frontend.package.updates.changes import Adoption as Adoption, gone_parts as gone_parts
    from urdf_frontend.package.updates.export import (
        Exported as Exported,
        exported as exported,
        urdf_values as urdf_values,
    )
    from urdf_frontend.package.updates.generation import (
        LostSources as LostSources,
        last_copies as last_copies,
        lost_sources as lost_sources,
        with_copies as with_copies,
    )
    from urdf_frontend.package.updates.options import (
        SIDE as SIDE,
        UpdateOptions as UpdateOptions,
        adopt as adopt,
        export as export,
        update as update,
    )

__all__ = [
    "Adoption",
    "BuildError",
    "BuildOptions",
    "BuiltPackage",
    "Exported",
    "FileUpdate",
    "Kind",
    "NoBaseError",
    "PackageError",
    "PackageMemory",
    "Part",
    "PreviousBuild",
    "Question",
    "RecordOptions",
    "Report",
    "RobotPackage",
    "Summary",
    "UnreadableError",
    "UnreadablePackageError",
    "Update",
    "UpdateConflict",
    "UpdateError",
    "UpdateOptions",
    "Visualisation",
    "adopt",
    "build",
    "build_record",
    "export",
    "flange_inside",
    "joints_inside",
    "nameless",
    "read_memory",
    "read_settings",
    "update",
    "with_base",
    "write",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "modelica_ast.generate": (
                "BuildError FileUpdate NoBaseError Question Report UnreadableError Update UpdateConflict UpdateError"
            ),
            "urdf_frontend.package.builder.assembly": (
                "DifferingPackageError PreviousBuild build build_models is_written library_beside robot_files "
                "with_library write"
            ),
            "urdf_frontend.package.builder.documentation": "table",
            "urdf_frontend.package.builder.notes": "leftovers motion_notes",
            "urdf_frontend.package.builder.options": (
                "BuildOptions BuiltPackage MODULAR STYLE Summary TEMPLATES Visualisation is_read_as_today options_of"
            ),
            "urdf_frontend.package.builder.part_models": (
                "JOINTS LINKS Parts link_template shown_collisions shown_visuals"
            ),
            "urdf_frontend.package.builder.resources": "Resources collect_resources named_files",
            "urdf_frontend.package.builder.robot_model": "Counts HANDED_TO_LINKS RobotModel TEMPLATE class_file filled",
            "urdf_frontend.package.builder.scaffold": "Scaffold inner_package package_name part_files surroundings_of",
            "urdf_frontend.package.builder.side_car": (
                "FOLDER bytes_of generator kept_files names_json names_of side_car_of side_car_path with_base"
            ),
            "urdf_frontend.package.builder.part_values": (
                "CONNECTORS PartValues ROOT_FRAME Xy coordinate_system flanges frame_line leaf_frames placement "
                "real_of turned_placement"
            ),
            "parts": "Kind Part flange_inside joints_inside",
            "memory": "PackageError PackageMemory UnreadablePackageError nameless read_memory read_settings",
            "urdf_frontend.package.builder.record": "RecordOptions build_record",
            "robot_package": "RobotPackage",
            "urdf_frontend.package.updates.changes": "Adoption gone_parts",
            "urdf_frontend.package.updates.export": "Exported exported urdf_values",
            "urdf_frontend.package.updates.generation": "LostSources last_copies lost_sources with_copies",
            "urdf_frontend.package.updates.options": "SIDE UpdateOptions adopt export update",
        },
    )
