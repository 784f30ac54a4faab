within DynamicConstraints;
package Connected "The same objects, connected pair by pair"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
These objects need no collector and no IDs. Each collision object has a connector for each constrained object, and the
other way round, and all pairs are connected:
</p>
<pre>
  connect(collisionObject_i.port[j], constrainedObject_j.port[i]);
</pre>
<p>
The index <em>i</em> is what the ID of the collision object is otherwise, and <code>partner</code> of a constrained
object shows it. For <em>n</em> collision objects and <em>m</em> constrained objects these are <em>n m</em> connections,
which is work for a program. In return every pair can be seen in the diagram, and no name is looked up in an enclosing
model.
</p>
<p>
Both ways of wiring have the same equations and the same results.
</p>
</html>"));
end Connected;
