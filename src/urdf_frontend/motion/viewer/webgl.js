"use strict";
// The picture by WebGL 2: lit shapes with shadows, a ground with a grid, and a skeleton that shines through.

const SOLID_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 model, camera, light;
out vec3 at, upright;
out vec4 lit;
void main() {
  vec4 world = model * vec4(position, 1.0);
  at = world.xyz;
  upright = mat3(model) * normal;
  lit = light * world;
  gl_Position = camera * world;
}`;

const SHADOW = `
uniform highp sampler2DShadow shadows;
uniform float shading;
float sunlight(vec4 lit, float bias) {
  vec3 p = lit.xyz / lit.w * 0.5 + 0.5;
  if (shading == 0.0 || any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  vec2 texel = 1.0 / vec2(textureSize(shadows, 0));
  float sum = 0.0;
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++) sum += texture(shadows, vec3(p.xy + vec2(x, y) * texel * 1.6, p.z - bias));
  return mix(1.0, sum / 9.0, shading);
}`;

const SOLID_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at, upright;
in vec4 lit;
uniform vec4 colour;
uniform vec3 eye, sun;
uniform float glow, ambient;
out vec4 result;
${SHADOW}
void main() {
  vec3 view = normalize(eye - at);
  vec3 n = normalize(upright);
  if (dot(n, view) < 0.0) n = -n;
  float facing = dot(n, sun);
  float direct = max(facing, 0.0) * sunlight(lit, 0.0015 + 0.004 * (1.0 - max(facing, 0.0)));
  float sky = mix(0.55, 1.0, n.z * 0.5 + 0.5) * ambient;
  float fill = 0.16 * max(dot(n, view), 0.0);
  float shine = pow(max(dot(n, normalize(sun + view)), 0.0), 42.0) * 0.22 * step(0.001, direct);
  vec3 base = pow(colour.rgb, vec3(2.2));
  vec3 light = base * (sky + fill + 0.85 * direct) + shine;
  light = mix(light / (1.0 + 0.45 * light), vec3(1.0, 0.62, 0.1), glow * 0.35); // white stays below the brightest
  result = vec4(pow(light, vec3(1.0 / 2.2)), colour.a);
}`;

const MARK_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at, upright;
in vec4 lit;
uniform vec4 colour;
uniform vec3 eye;
out vec4 result;
void main() {
  float edge = abs(dot(normalize(upright), normalize(eye - at)));
  result = vec4(colour.rgb * mix(0.72, 1.0, edge), colour.a);
}`;

const DEPTH_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 model, light;
void main() { gl_Position = light * model * vec4(position, 1.0); }`;

const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at, upright;
in vec4 lit;
uniform vec3 ground, line, sky, middle;
uniform float cell, reach;
out vec4 result;
${SHADOW}
float grid(vec2 p) {
  vec2 near = abs(fract(p - 0.5) - 0.5) / fwidth(p);
  return 1.0 - min(min(near.x, near.y), 1.0);
}
void main() {
  float lines = max(grid(at.xy / cell) * 0.35, grid(at.xy / (cell * 5.0)) * 0.75);
  float away = length(at.xy - middle.xy) / reach;
  float fade = exp(-away * away * 2.5);
  vec3 colour = mix(ground, line, lines * fade);
  colour *= mix(0.74, 1.0, sunlight(lit, 0.001));
  result = vec4(mix(sky, colour, fade), 1.0);
}`;

class WebglRenderer {
  constructor(canvas, gl) {
    this.name = "WebGL";
    this.canvas = canvas;
    this.gl = gl;
    this.buffers = new Map();
    this.solid = this.program(SOLID_VERTEX, SOLID_FRAGMENT);
    this.mark = this.program(SOLID_VERTEX, MARK_FRAGMENT);
    this.depth = this.program(DEPTH_VERTEX, DEPTH_FRAGMENT);
    this.floor = this.program(SOLID_VERTEX, FLOOR_FRAGMENT);
    this.shapes = {
      rod: Shapes.cylinder(1, 1, 0, 16),
      tip: Shapes.cone(),
      ball: Shapes.sphere(1, 8, 24),
      ground: Shapes.measured(
        new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0]),
        new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
      ),
    };
    this.makeShadowMap(2048);
  }

  // Null where the browser has no WebGL 2.
  static create(canvas) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, preserveDrawingBuffer: true });
    return gl === null ? null : new WebglRenderer(canvas, gl);
  }

  program(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const places = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i += 1) {
      const { name } = gl.getActiveUniform(program, i);
      places[name] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  makeShadowMap(size) {
    const gl = this.gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    const target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.readBuffer(gl.NONE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.shadowMap = { texture, target, size };
  }

  buffer(geometry) {
    if (this.buffers.has(geometry)) return this.buffers.get(geometry);
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    [geometry.positions, geometry.normals].forEach((data, place) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    });
    const made = { array, count: geometry.positions.length / 3 };
    this.buffers.set(geometry, made);
    return made;
  }

  use({ program, places }, values) {
    this.gl.useProgram(program);
    this.places = places;
    this.set(values);
  }

  set(values) {
    const gl = this.gl;
    for (const [name, value] of Object.entries(values)) {
      const place = this.places[name];
      if (place === undefined) continue;
      if (typeof value === "number") gl.uniform1f(place, value);
      else if (value.length === 3) gl.uniform3fv(place, value);
      else if (value.length === 4) gl.uniform4fv(place, value);
      else gl.uniformMatrix4fv(place, false, value);
    }
  }

  drawShape(geometry, values) {
    const { array, count } = this.buffer(geometry);
    this.set(values);
    this.gl.bindVertexArray(array);
    this.gl.drawArrays(this.gl.TRIANGLES, 0, count);
  }

  draw(picture) {
    const gl = this.gl;
    const { camera, theme, solids, marks, bounds, floor } = picture;
    const light = this.drawShadows(picture);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...theme.sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap.texture);
    const { sun, ambient, ground, line, sky } = theme;
    const shared = { camera: camera.matrix, eye: camera.eye, light, sun, shading: 1, ambient };

    const reach = 14 * bounds.radius;
    const middle = [bounds.centre[0], bounds.centre[1], floor];
    this.use(this.floor, { ...shared, ground, line, sky, middle, cell: picture.cell, reach });
    this.drawShape(this.shapes.ground, { model: Mat.ball(middle, 3 * reach) });

    const far = (solid) => -Vec.length(Vec.sub(Mat.point(solid.matrix, solid.geometry.centre), camera.eye));
    const clear = solids.filter((solid) => solid.colour[3] < 1).sort((a, b) => far(a) - far(b));
    this.use(this.solid, shared);
    for (const solid of solids) if (solid.colour[3] >= 1) this.drawSolid(solid);
    gl.enable(gl.BLEND);
    for (const solid of clear) this.drawSolid(solid);

    // First what is hidden by shapes, faintly, then what is in front of them.
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    this.use(this.mark, shared);
    for (const mark of marks) this.drawMark(mark, 0.4);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
    for (const mark of marks) this.drawMark(mark, 1);
    gl.disable(gl.BLEND);
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  // Is the last picture still being drawn? Without a graphics card pictures would pile up, and the page hang.
  get isBusy() {
    return Boolean(this.fence) && this.gl.clientWaitSync(this.fence, 0, 0) === this.gl.TIMEOUT_EXPIRED;
  }

  drawSolid(solid) {
    this.drawShape(solid.geometry, { model: solid.matrix, colour: solid.colour, glow: solid.isHighlighted ? 1 : 0 });
  }

  drawMark(mark, alpha) {
    const { kind, from, to, radius } = mark;
    const model = kind === "ball" ? Mat.ball(from, radius) : Mat.between(from, to, radius);
    this.drawShape(this.shapes[mark.kind], { model, colour: [...mark.colour, alpha] });
  }

  drawShadows({ theme, solids, bounds }) {
    const gl = this.gl;
    const reach = bounds.radius * 1.6;
    const eye = Vec.add(bounds.centre, Vec.scale(theme.sun, 4 * reach));
    const light = Mat.multiply(Mat.box(reach, reach, 8 * reach), Mat.lookAt(eye, bounds.centre, [0, 1, 0]));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowMap.target);
    gl.viewport(0, 0, this.shadowMap.size, this.shadowMap.size);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 2);
    this.use(this.depth, { light });
    for (const solid of solids) if (solid.colour[3] > 0.3) this.drawShape(solid.geometry, { model: solid.matrix });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return light;
  }
}
