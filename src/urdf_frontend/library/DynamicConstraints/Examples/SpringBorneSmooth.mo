within DynamicConstraints.Examples;
model SpringBorneSmooth "A spring-borne object that is caught softly"
  extends DynamicConstraints.Examples.SpringBorne(ball(useTransition=true, transitionTime=0.5));
  annotation (experiment(StopTime=3, Tolerance=1e-8), Documentation(info="<html>
<p>
As <a href=\"modelica://DynamicConstraints.Examples.SpringBorne\">SpringBorne</a>, with a transition of 0.5 s: the force
is at most 200 N, and the object goes on falling for a while after it has been caught. Without <code>latch</code> it
would fall right through.
</p>
</html>"));
end SpringBorneSmooth;
