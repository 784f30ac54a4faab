within UrdfRobots;
package Records "Values of URDF elements"
  extends Modelica.Icons.RecordsPackage;

  record Origin "Pose of a frame in the frame above it"
    extends Modelica.Icons.Record;
    parameter Modelica.Units.SI.Position xyz[3]={0,0,0} "Position of the origin";
    parameter Modelica.Units.SI.Angle rpy[3]={0,0,0}
      "Roll, pitch and yaw: turns about the fixed axes x, y and z, in this order";
    annotation (Documentation(info="<html>
<p>
The <code>&lt;origin&gt;</code> of a link's inertial, visual or collision element, or of a joint. The rotation matrix
is R<sub>z</sub>(yaw) R<sub>y</sub>(pitch) R<sub>x</sub>(roll).
</p>
</html>"));
  end Origin;

  record Inertia "Inertia tensor about the centre of mass"
    extends Modelica.Icons.Record;
    parameter Modelica.Units.SI.Inertia ixx=0 "Element (1,1)";
    parameter Modelica.Units.SI.Inertia ixy=0 "Element (1,2)";
    parameter Modelica.Units.SI.Inertia ixz=0 "Element (1,3)";
    parameter Modelica.Units.SI.Inertia iyy=0 "Element (2,2)";
    parameter Modelica.Units.SI.Inertia iyz=0 "Element (2,3)";
    parameter Modelica.Units.SI.Inertia izz=0 "Element (3,3)";
    annotation (Documentation(info="<html>
<p>
The six elements of the symmetric tensor, resolved in the frame of the inertial origin. The elements off the diagonal
are those of the tensor (no change of sign).
</p>
</html>"));
  end Inertia;

  record Inertial "Mass properties of a link"
    extends Modelica.Icons.Record;
    parameter Origin origin=Origin() "Frame at the centre of mass";
    parameter Modelica.Units.SI.Mass mass=0 "Mass; 0 for a link without mass";
    parameter Inertia inertia=Inertia() "Inertia tensor in that frame";
  end Inertial;

  record Geometry "Shape of a visual or collision element"
    extends Modelica.Icons.Record;
    parameter Types.GeometryType geometryType=Types.GeometryType.sphere "Which shape it is";
    parameter Modelica.Units.SI.Length size[3]={0,0,0} "Edges of a box along x, y and z";
    parameter Modelica.Units.SI.Radius radius=0 "Radius of a cylinder, sphere or capsule";
    parameter Modelica.Units.SI.Length length=0 "Length of a cylinder, or of a capsule without its ends";
    parameter String filename="" "File of a mesh";
    parameter Real scale[3]={1,1,1} "Factors on the coordinates of a mesh";
    annotation (Documentation(info="<html>
<p>
The default is a sphere of radius 0: no shape at all. Only the fields that belong to the geometry type count.
</p>
</html>"));
  end Geometry;

  record Material "Look of a visual element"
    extends Modelica.Icons.Record;
    parameter String name="" "Name of the material; empty if it has none";
    parameter Real rgba[4](each min=0, each max=1)={0.5,0.5,0.5,1} "Red, green, blue and opacity, each from 0 to 1";
    parameter String texture="" "Image file; empty if there is none";
  end Material;

  record Visual "Something to see of a link"
    extends Modelica.Icons.Record;
    parameter String name="" "Name of the element; empty if it has none";
    parameter Origin origin=Origin() "Frame of the shape in the frame of the link";
    parameter Geometry geometry=Geometry() "Shape";
    parameter Material material=Material() "Look";
  end Visual;

  record Collision "Shape of a link for collisions"
    extends Modelica.Icons.Record;
    parameter String name="" "Name of the element; empty if it has none";
    parameter Origin origin=Origin() "Frame of the shape in the frame of the link";
    parameter Geometry geometry=Geometry() "Shape";
  end Collision;

  record Link "Values of a link"
    extends Modelica.Icons.Record;
    parameter String name="" "Name of the link in URDF";
    parameter Inertial inertial=Inertial() "Mass properties";
    parameter Visual visual=Visual() "First visual element";
    parameter Collision collision=Collision() "First collision element";
    annotation (Documentation(info="<html>
<p>
A link with several visual or collision elements extends this record and adds <code>visual2</code>,
<code>collision2</code> and so on.
</p>
</html>"));
  end Link;

  record Calibration "Reference positions of a joint"
    extends Modelica.Icons.Record;
    parameter Real rising=Modelica.Constants.inf
      "Position at which a rising edge is seen, in rad or m; infinite if there is none";
    parameter Real falling=Modelica.Constants.inf
      "Position at which a falling edge is seen, in rad or m; infinite if there is none";
  end Calibration;

  record Dynamics "Friction of a joint"
    extends Modelica.Icons.Record;
    parameter Real damping(min=0)=0 "Viscous friction, in N.m.s/rad (joint that turns) or N.s/m (joint that slides)";
    parameter Real friction(min=0)=0 "Dry friction, in N.m (joint that turns) or N (joint that slides)";
  end Dynamics;

  record Limit "Limits of a joint"
    extends Modelica.Icons.Record;
    parameter Real lower=-Modelica.Constants.inf "Smallest position, in rad or m";
    parameter Real upper=Modelica.Constants.inf "Largest position, in rad or m";
    parameter Real effort(min=0)=Modelica.Constants.inf "Largest torque or force of the drive, in N.m or N";
    parameter Real velocity(min=0)=Modelica.Constants.inf "Largest speed, in rad/s or m/s";
    parameter Real acceleration(min=0)=Modelica.Constants.inf "Largest acceleration, in rad/s2 or m/s2";
    parameter Real deceleration(min=0)=Modelica.Constants.inf "Largest deceleration, in rad/s2 or m/s2";
    parameter Real jerk(min=0)=Modelica.Constants.inf "Largest jerk, in rad/s3 or m/s3";
    annotation (Documentation(info="<html>
<p>
A limit that URDF does not give is infinite (<code>Modelica.Constants.inf</code>), so it never takes effect. A limit
of 0 is a limit. Where a joint that turns or slides has limits at all, an end that URDF leaves out is 0, as ROS tools
read it.
</p>
</html>"));
  end Limit;

  record Mimic "The joint that a joint follows"
    extends Modelica.Icons.Record;
    parameter String joint="" "Name of the joint that is followed; empty if there is none";
    parameter Real multiplier=1 "Factor on the position of that joint";
    parameter Real offset=0 "Position of this joint where that joint is at 0, in rad or m";
  end Mimic;

  record SafetyController "Soft limits of a joint"
    extends Modelica.Icons.Record;
    parameter Real softLowerLimit=-Modelica.Constants.inf "Position from which a controller brakes, in rad or m";
    parameter Real softUpperLimit=Modelica.Constants.inf "Position from which a controller brakes, in rad or m";
    parameter Real kPosition=0 "Speed limit for each unit of distance to the soft limit, in 1/s";
    parameter Real kVelocity=0 "Effort limit for each unit of distance to the speed limit";
    annotation (Documentation(info="<html>
<p>
The values are kept for controllers. The joints of this library have none, so these values do not change their motion.
</p>
</html>"));
  end SafetyController;

  record Joint "Values of a joint"
    extends Modelica.Icons.Record;
    parameter String name="" "Name of the joint in URDF";
    parameter Types.JointType jointType=Types.JointType.fixedJoint "Type of the joint";
    parameter Origin origin=Origin() "Frame of the joint in the frame of the parent link";
    parameter Real axis[3](each final unit="1")={1,0,0} "Axis in the frame of the joint; its length does not matter";
    parameter String parent="" "Name of the parent link";
    parameter String child="" "Name of the child link";
    parameter Calibration calibration=Calibration() "Reference positions";
    parameter Dynamics dynamics=Dynamics() "Friction";
    parameter Limit limit=Limit() "Limits";
    parameter Mimic mimic=Mimic() "Joint that is followed";
    parameter SafetyController safetyController=SafetyController() "Soft limits";
  end Joint;

  record Robot "Structure and values of a whole robot, for the generic robots"
    extends Modelica.Icons.Record;
    parameter String name="" "Name of the robot in URDF";
    parameter Integer nRevolute(min=0)=0 "Number of joints that turn";
    parameter Integer nPrismatic(min=0)=0 "Number of joints that slide";
    parameter Integer nFixed(min=0)=0 "Number of joints that do not move";
    parameter Integer parent[nRevolute + nPrismatic + nFixed]=zeros(nRevolute + nPrismatic + nFixed)
      "Parent link of each joint; 0 is the base";
    parameter Integer order[nRevolute + nPrismatic + nFixed]=1:nRevolute + nPrismatic + nFixed
      "All joints, each after the joint above it";
    parameter Modelica.Units.SI.Position xyz[nRevolute + nPrismatic + nFixed,3]=
      zeros(nRevolute + nPrismatic + nFixed, 3)
      "Origins of the joints";
    parameter Modelica.Units.SI.Angle rpy[nRevolute + nPrismatic + nFixed,3]=zeros(nRevolute + nPrismatic + nFixed, 3)
      "Roll, pitch and yaw of the joints";
    parameter Real axis[nRevolute + nPrismatic + nFixed,3](each final unit="1")=
      zeros(nRevolute + nPrismatic + nFixed, 3)
      "Axes of the joints; of no account for fixed ones";
    parameter Real damping[nRevolute + nPrismatic + nFixed](each min=0)=zeros(nRevolute + nPrismatic + nFixed)
      "Viscous friction, in N.m.s/rad or N.s/m";
    parameter Real friction[nRevolute + nPrismatic + nFixed](each min=0)=zeros(nRevolute + nPrismatic + nFixed)
      "Dry friction, in N.m or N";
    parameter Integer nFollowers(min=0)=0 "Number of joints that follow another one";
    parameter Integer followers[nFollowers]=fill(1, nFollowers) "Those joints";
    parameter Integer leader[nRevolute + nPrismatic + nFixed]=fill(0, nRevolute + nPrismatic + nFixed)
      "Joint that each joint follows, which itself follows none; 0 if there is none";
    parameter Real multiplier[nRevolute + nPrismatic + nFixed]=fill(1, nRevolute + nPrismatic + nFixed)
      "Factor on the position of that joint, in rad/m or m/rad where one turns and the other slides";
    parameter Real offset[nRevolute + nPrismatic + nFixed]=zeros(nRevolute + nPrismatic + nFixed)
      "Position of the follower where that joint is at 0, in rad or m";
    parameter Modelica.Units.SI.Mass mass[nRevolute + nPrismatic + nFixed]=zeros(nRevolute + nPrismatic + nFixed)
      "Masses of the links";
    parameter Modelica.Units.SI.Position center[nRevolute + nPrismatic + nFixed,3]=
      zeros(nRevolute + nPrismatic + nFixed, 3)
      "Centres of mass, in the frames of the links";
    parameter Real inertia[nRevolute + nPrismatic + nFixed,6](each final unit="kg.m2")=
      zeros(nRevolute + nPrismatic + nFixed, 6)
      "ixx, iyy, izz, ixy, ixz, iyz about the centre of mass, along the axes of the link's frame";
    annotation (Documentation(info="<html>
<p>
Joints are sorted by type: first those that turn (revolute and continuous), then those that slide, then the fixed
ones. Link <em>i</em> is the child of joint <em>i</em>; the base is link 0 and stands still, so it has no mass here.
Mass properties are given in the frame of the link: an inertial origin that is turned has been applied to the tensor.
</p>
<p>
All fields are plain arrays, because not every compiler takes arrays of records.
</p>
</html>"));
  end Robot;

  annotation (Documentation(info="<html>
<p>
A record holds what one URDF element says. What the element does not say has a default that means <em>absent</em>: an
empty string, an infinite limit, no friction, a sphere of radius 0, no mass.
</p>
<p>
Set a nested record as a whole, by its constructor:
</p>
<blockquote><pre>
extends UrdfRobots.Records.Link(
  name=\"forearm\",
  inertial=UrdfRobots.Records.Inertial(mass=2.1, origin=UrdfRobots.Records.Origin(xyz={0,0,0.2})));
</pre></blockquote>
<p>
The short form <code>inertial(mass=2.1)</code> is legal too, but some compilers ignore it without a word where the
member has a default.
</p>
</html>"));
end Records;
