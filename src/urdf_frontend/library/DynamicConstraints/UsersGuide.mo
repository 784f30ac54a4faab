within DynamicConstraints;
package UsersGuide "User's Guide"
  extends Modelica.Icons.Information;

  class Concept "Objects and rules"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<p>
There are two groups of objects, and only pairs of one of each group can touch. For <em>n</em> collision objects and
<em>m</em> constrained objects these are <em>n m</em> pairs, where a check of all against all would have (<em>n</em> +
<em>m</em>) (<em>n</em> + <em>m</em> - 1)/2.
</p>
<ul>
<li>A <a href=\"modelica://DynamicConstraints.CollisionObject\">collision object</a> is a sphere or a rectangle on any
frame: the flange of a robot, a holder, a table.</li>
<li>A <a href=\"modelica://DynamicConstraints.ConstrainedObject\">constrained object</a> is a sphere on a body: a tool,
a part. It is bound to at most one collision object at a time, its partner.</li>
<li>The <a href=\"modelica://DynamicConstraints.CollisionCollector\">collector</a> tells each of them of the others. In
<a href=\"modelica://DynamicConstraints.Connected\">Connected</a> there is none.</li>
</ul>
<p>
A collision object of the mode Passive binds whatever comes into reach. One of the mode Control does so only while its
input <code>closed</code> is true, and goes before all of the mode Passive. So a robot whose flange closes takes a tool
away from its holder, and a holder gets the tool when the flange opens near it.
</p>
</html>"));
  end Concept;

  class ByHand "How to make a model by hand"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<ol>
<li>Put a <a href=\"modelica://DynamicConstraints.CollisionCollector\">CollisionCollector</a> into the model, as
<code>inner collector</code>, beside the world.</li>
<li>Connect a <a href=\"modelica://DynamicConstraints.CollisionObject\">CollisionObject</a> with each frame that can
hold something. Choose mode and shape. In the mode Control, connect <code>closed</code>.</li>
<li>Connect a <a href=\"modelica://DynamicConstraints.ConstrainedObject\">ConstrainedObject</a> with each body that can
be held. Set <code>enforceStates=true</code> in the body: it can be free.</li>
<li>Number the collision objects from 1 to <em>n</em> and the constrained objects from 1 to <em>m</em> by their
parameter <code>id</code>, and set <code>n</code> and <code>m</code> of the collector. In nested components, the
number is a modifier from outside: <code>robot1(flange(id=1)), robot2(flange(id=2))</code>.</li>
<li>For compilers that want literal sizes, set <code>m</code> in the collision objects and <code>n</code> in the
constrained objects as well.</li>
</ol>
<p>
Modelica has no way to number the components of a model by itself. Programs that edit models can do steps 4 and 5.
</p>
</html>"));
  end ByHand;

  class Decisions "What is different from the paper"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<p>
The rules are those of [1] in <a href=\"modelica://DynamicConstraints.UsersGuide.References\">References</a>. Where they
leave something open, or can't be taken by the letter, this library does the following.
</p>
<ul>
<li><strong>Transition.</strong> A factor <em>s</em> on the whole constraint has no effect where it is positive, and
leaves the force undefined where it is zero. Here the constraint fades into &quot;no force&quot;: <em>s c</em> = (1 -
<em>s</em>) <em>f/m_ref</em>, which has one solution for every <em>s</em>.</li>
<li><strong>Latch.</strong> An object that is bound at the point of contact comes to rest at the very edge of it, where
small errors can set it free and bind it again and again. With <code>latch=true</code>, it stays bound until its partner
opens, or until one of mode Control takes it from one of mode Passive. The same keeps an object that is caught softly
from flying through its partner.</li>
<li><strong>Tie.</strong> Among several of the same mode, the lowest ID is taken.</li>
<li><strong>Rectangle.</strong> It has two sides, and <code>length</code> and <code>width</code> are measured from its
centre in both directions.</li>
<li><strong>Offset.</strong> Place and orientation are kept in the frame of the partner, so a bound object turns with
it.</li>
<li><strong>Reaction.</strong> It acts at the place of the constrained object: the torque about the partner's origin
has a part from the lever.</li>
<li><strong>Short contacts.</strong> A solver may step over them. <code>checkPeriod</code> makes it look, where
a contact would change who is bound to whom.</li>
<li><strong>Collector.</strong> The objects connect themselves to connectors of the collector, so every model has as
many equations as unknowns, and a wrong numbering is an error of translation.</li>
</ul>
</html>"));
  end Decisions;

  class Limits "What it can't do"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<ul>
<li>Two constrained objects never touch one another, nor do two collision objects.</li>
<li>A bound object is bound in all six directions: it does not slide, roll or bounce.</li>
<li>A tool that stays out of reach of everything falls.</li>
<li>An object that is turned against its partner by 180 degrees when it is bound without offset is not turned back: it
does not know which way.</li>
<li>A large <code>eta</code> needs small steps: with a solver of fixed step, <code>eta</code> times the step should be
below 1.</li>
<li>The force of an impact depends on <code>eta</code>. It is a parameter of the model and no property of the
material.</li>
</ul>
</html>"));
  end Limits;

  class References "References"
    extends Modelica.Icons.References;
    annotation (Documentation(info="<html>
<dl>
<dt>[1]</dt>
<dd>R. Reiser and M. J. Reiner: Modeling and simulation of dynamically constrained objects for limited structurally
variable systems in Modelica. German Aerospace Center (DLR).</dd>
<dt>[2]</dt>
<dd>J. Baumgarte: Stabilization of constraints and integrals of motion in dynamical systems. Computer Methods in
Applied Mechanics and Engineering 1 (1972), 1-16.</dd>
</dl>
</html>"));
  end References;

  annotation (DocumentationClass=true, Documentation(info="<html>
<p>
What the library is for, how it is used, what it decides, and what it can't do.
</p>
</html>"));
end UsersGuide;
