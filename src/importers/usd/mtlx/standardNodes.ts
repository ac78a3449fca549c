// The node definitions of the MaterialX libraries stdlib, pbrlib and bxdf, in version 1.39, and those that only 1.38
// has. Documents use these definitions without including them. The definition that fits the inputs and output of a node
// gives the node's identifier.

import type { NodeDef, Port } from './nodeDef.ts';

/**
 * One node per line: `node identifier[@version] | inputs | output types | outputs`. In the identifier, `*` is the name
 * of the node. In the identifier and in ports, `$` is each output type in turn. Without outputs, there is one named
 * `out`. A line that starts with a blank continues the previous one. The version is omitted for default versions.
 */
const TABLE = `
disney_principled * | baseColor:c3
  metallic,roughness,anisotropic,specular,specularTint,sheen,sheenTint,clearcoat,clearcoatGloss,specTrans,ior,
  subsurface:f
  subsurfaceDistance:c3 | surface
open_pbr_anisotropy * | roughness,anisotropy:f | v2
gltf_pbr *_$ | base_color:c3 metallic,roughness:f normal,tangent:v3 occlusion,transmission,specular:f
  specular_color:c3 ior,alpha:f alpha_mode:i alpha_cutoff,iridescence,iridescence_ior,iridescence_thickness:f
  sheen_color:c3 sheen_roughness,clearcoat,clearcoat_roughness:f clearcoat_normal:v3 emissive:c3
  emissive_strength,thickness,attenuation_distance:f attenuation_color:c3 anisotropy_strength,anisotropy_rotation:f
  | surface
gltf_colorimage * | file:file default:c4 texcoord,pivot,scale:v2 rotate:f offset:v2 operationorder:i
  uaddressmode,vaddressmode,filtertype:s color,geomcolor:c4 | | outcolor:c3 outa:f
gltf_image *_$_$_1_0 | file:file factor,default:$ texcoord,pivot,scale:v2 rotate:f offset:v2 operationorder:i
  uaddressmode,vaddressmode,filtertype:s | c3 c4 f
gltf_image *_$_$_1_0 | file:file default:v3 texcoord,pivot,scale:v2 rotate:f offset:v2 operationorder:i
  uaddressmode,vaddressmode,filtertype:s | v3
gltf_normalmap *_$_1_0 | file:file default:v3 texcoord,pivot,scale:v2 rotate:f offset:v2 operationorder:i
  uaddressmode,vaddressmode,filtertype:s | v3
gltf_iridescence_thickness *_$_1_0 | file:file default:v3 texcoord,pivot,scale:v2 rotate:f offset:v2
  uaddressmode,vaddressmode,filtertype:s thicknessMin,thicknessMax:f | f
gltf_anisotropy_image * | file:file default:v3 texcoord,pivot,scale:v2 rotate:f offset:v2 operationorder:i
  uaddressmode,vaddressmode,filtertype:s anisotropy_strength,anisotropy_rotation:f | |
  anisotropy_strength_out,anisotropy_rotation_out:f
open_pbr_surface *_$ | base_weight:f base_color:c3 base_diffuse_roughness,base_metalness,specular_weight:f
  specular_color:c3 specular_roughness,specular_ior,specular_roughness_anisotropy,transmission_weight:f
  transmission_color:c3 transmission_depth:f transmission_scatter:c3
  transmission_scatter_anisotropy,transmission_dispersion_scale,transmission_dispersion_abbe_number,
  subsurface_weight:f
  subsurface_color:c3 subsurface_radius:f subsurface_radius_scale:c3 subsurface_scatter_anisotropy,fuzz_weight:f
  fuzz_color:c3 fuzz_roughness,coat_weight:f coat_color:c3
  coat_roughness,coat_roughness_anisotropy,coat_ior,coat_darkening,thin_film_weight,thin_film_thickness,
  thin_film_ior,emission_luminance:f
  emission_color:c3 geometry_opacity:f geometry_thin_walled:b
  geometry_normal,geometry_coat_normal,geometry_tangent,geometry_coat_tangent:v3 | surface
standard_surface *_$ | base:f base_color:c3 diffuse_roughness,metalness,specular:f specular_color:c3
  specular_roughness,specular_IOR,specular_anisotropy,specular_rotation,transmission:f transmission_color:c3
  transmission_depth:f transmission_scatter:c3
  transmission_scatter_anisotropy,transmission_dispersion,transmission_extra_roughness,subsurface:f
  subsurface_color,subsurface_radius:c3 subsurface_scale,subsurface_anisotropy,sheen:f sheen_color:c3
  sheen_roughness,coat:f coat_color:c3 coat_roughness,coat_anisotropy,coat_rotation,coat_IOR:f coat_normal:v3
  coat_affect_color,coat_affect_roughness,thin_film_thickness,thin_film_IOR,emission:f emission_color,opacity:c3
  thin_walled:b normal,tangent:v3 | surface
standard_surface *_$_100@1.0.0 | base:f base_color:c3 diffuse_roughness,metalness,specular:f specular_color:c3
  specular_roughness,specular_IOR,specular_anisotropy,specular_rotation,transmission:f transmission_color:c3
  transmission_depth:f transmission_scatter:c3
  transmission_scatter_anisotropy,transmission_dispersion,transmission_extra_roughness,subsurface:f
  subsurface_color,subsurface_radius:c3 subsurface_scale,subsurface_anisotropy,sheen:f sheen_color:c3
  sheen_roughness,coat:f coat_color:c3 coat_roughness,coat_anisotropy,coat_rotation,coat_IOR:f coat_normal:v3
  coat_affect_color,coat_affect_roughness,thin_film_thickness,thin_film_IOR,emission:f emission_color,opacity:c3
  thin_walled:b normal,tangent:v3 | surface
UsdPreviewSurface *_$ | diffuseColor,emissiveColor:c3 useSpecularWorkflow:i specularColor:c3
  metallic,roughness,clearcoat,clearcoatRoughness,opacity:f opacityMode:i opacityThreshold,ior:f normal:v3
  displacement,occlusion:f | surface
UsdUVTexture *@2.2 | file:file st:v2 wrapS,wrapT:s fallback,scale,bias:c4 | | r,g,b,a:f rgb:c3 rgba:c4
UsdUVTexture *_23 | file:file st:v2 wrapS,wrapT:s fallback,scale,bias:c4 | | r,g,b,a:f rgb:c3
UsdPrimvarReader *_$ | varname:s fallback:$ | i b s file f v2 v3 v4
UsdTransform2d * | in:v2 rotation:f scale,translation:v2 | v2
viewdirection *_$ | space:s | v3
facingratio *_$ | viewdirection,normal:v3 faceforward,invert:b | f
gooch_shade * | warm_color,cool_color:c3 specular_intensity,shininess:f light_direction:v3 | c3
oren_nayar_diffuse_bsdf * | weight:f color:c3 roughness:f normal:v3 energy_compensation:b | BSDF
burley_diffuse_bsdf * | weight:f color:c3 roughness:f normal:v3 | BSDF
translucent_bsdf * | weight:f color:c3 normal:v3 | BSDF
dielectric_bsdf * | weight:f tint:c3 ior:f roughness:v2 thinfilm_thickness,thinfilm_ior:f normal,tangent:v3
  distribution,scatter_mode:s | BSDF
conductor_bsdf * | weight:f ior,extinction:c3 roughness:v2 thinfilm_thickness,thinfilm_ior:f normal,tangent:v3
  distribution:s | BSDF
generalized_schlick_bsdf * | weight:f color0,color82,color90:c3 exponent:f roughness:v2
  thinfilm_thickness,thinfilm_ior:f normal,tangent:v3 distribution,scatter_mode:s | BSDF
subsurface_bsdf * | weight:f color,radius:c3 anisotropy:f normal:v3 | BSDF
sheen_bsdf * | weight:f color:c3 roughness:f normal:v3 mode:s | BSDF
chiang_hair_bsdf * | tint_R,tint_TT,tint_TRT:c3 ior:f roughness_R,roughness_TT,roughness_TRT:v2 cuticle_angle:f
  absorption_coefficient,normal,curve_direction:v3 | BSDF
uniform_edf * | color:c3 | EDF
conical_edf * | color:c3 normal:v3 inner_angle,outer_angle:f | EDF
measured_edf * | color:c3 normal:v3 file:file | EDF
generalized_schlick_edf * | color0,color90:c3 exponent:f base:EDF | EDF
absorption_vdf * | absorption:v3 | VDF
anisotropic_vdf * | absorption,scattering:v3 anisotropy:f | VDF
surface * | bsdf:BSDF edf:EDF opacity:f thin_walled:b | surface
volume * | vdf:VDF edf:EDF | volume
light * | edf:EDF intensity,exposure:f | light
displacement *_float | displacement,scale:f | displacement
displacement *_vector3 | displacement:v3 scale:f | displacement
layer *_bsdf | top,base:BSDF | BSDF
layer *_vdf | top:BSDF base:VDF | BSDF
mix *_bsdf | fg,bg:BSDF mix:f | BSDF
mix *_edf | fg,bg:EDF mix:f | EDF
mix *_vdf | fg,bg:VDF mix:f | VDF
add *_bsdf | in1,in2:BSDF | BSDF
add *_edf | in1,in2:EDF | EDF
add *_vdf | in1,in2:VDF | VDF
multiply *_bsdfC | in1:BSDF in2:c3 | BSDF
multiply *_bsdfF | in1:BSDF in2:f | BSDF
multiply *_edfC | in1:EDF in2:c3 | EDF
multiply *_edfF | in1:EDF in2:f | EDF
multiply *_vdfC | in1:VDF in2:c3 | VDF
multiply *_vdfF | in1:VDF in2:f | VDF
roughness_anisotropy * | roughness,anisotropy:f | v2
roughness_dual * | roughness:v2 | v2
glossiness_anisotropy * | glossiness,anisotropy:f | v2
blackbody * | temperature:f | c3
artistic_ior * | reflectivity,edge_color:c3 | | ior,extinction:c3
deon_hair_absorption_from_melanin * | melanin_concentration,melanin_redness:f eumelanin_color,pheomelanin_color:c3 |
  v3 | absorption:$
chiang_hair_absorption_from_color * | color:c3 azimuthal_roughness:f | v3 | absorption:$
chiang_hair_roughness * | longitudinal,azimuthal,scale_TT,scale_TRT:f | | roughness_R,roughness_TT,roughness_TRT:v2
surfacematerial * | surfaceshader,backsurfaceshader:surface displacementshader:displacement | material
volumematerial * | volumeshader:volume | material
surface_unlit * | emission:f emission_color:c3 transmission:f transmission_color:c3 opacity:f | surface
image *_$ | file:file layer:s default:$ texcoord:v2 uaddressmode,vaddressmode,filtertype,framerange:s frameoffset:i
  frameendaction:s | f c3 c4 v2 v3 v4
tiledimage *_$ | file:file default:$ texcoord,uvtiling,uvoffset,realworldimagesize,realworldtilesize:v2
  filtertype,framerange:s frameoffset:i frameendaction:s | f c3 c4 v2 v3 v4
latlongimage * | file:file default:c3 viewdir:v3 rotation:f | c3
hextiledimage *_$ | file:file default:$ texcoord,tiling:v2 rotation:f rotationrange:v2 scale:f scalerange:v2
  offset:f offsetrange:v2 falloff,falloffcontrast:f lumacoeffs:c3 | c3 c4
triplanarprojection *_$ | filex,filey,filez:file layerx,layery,layerz:s default:$ position,normal:v3 upaxis:i
  blend:f filtertype,framerange:s frameoffset:i frameendaction:s | f c3 c4 v2 v3 v4
constant *_$ | value:$ | f c3 c4 v2 v3 v4 b i m3 m4 s file
ramp * | texcoord:v2 type,interpolation,num_intervals:i interval1:f color1:c4 interval2:f color2:c4 interval3:f
  color3:c4 interval4:f color4:c4 interval5:f color5:c4 interval6:f color6:c4 interval7:f color7:c4 interval8:f
  color8:c4 interval9:f color9:c4 interval10:f color10:c4 | c4
ramp_gradient * | x,interval1,interval2:f color1,color2:c4 interpolation:i prev_color:c4
  interval_num,num_intervals:i | c4
ramplr *_$ | valuel,valuer:$ texcoord:v2 | f c3 c4 v2 v3 v4
ramptb *_$ | valuet,valueb:$ texcoord:v2 | f c3 c4 v2 v3 v4
ramp4 *_$ | valuetl,valuetr,valuebl,valuebr:$ texcoord:v2 | f c3 c4 v2 v3 v4
splitlr *_$ | valuel,valuer:$ center:f texcoord:v2 | f c3 c4 v2 v3 v4
splittb *_$ | valuet,valueb:$ center:f texcoord:v2 | f c3 c4 v2 v3 v4
noise2d *_$ | amplitude:$ pivot:f texcoord:v2 | f v2 v3 v4
noise2d *_$ | amplitude:v3 pivot:f texcoord:v2 | c3
noise2d *_$ | amplitude:v4 pivot:f texcoord:v2 | c4
noise2d *_$FA | amplitude,pivot:f texcoord:v2 | c3 c4 v2 v3 v4
noise3d *_$ | amplitude:$ pivot:f position:v3 | f v2 v3 v4
noise3d *_$ | amplitude:v3 pivot:f position:v3 | c3
noise3d *_$ | amplitude:v4 pivot:f position:v3 | c4
noise3d *_$FA | amplitude,pivot:f position:v3 | c3 c4 v2 v3 v4
fractal2d *_$ | amplitude:$ octaves:i lacunarity,diminish:f texcoord:v2 | f v2 v3 v4
fractal2d *_$ | amplitude:v3 octaves:i lacunarity,diminish:f texcoord:v2 | c3
fractal2d *_$ | amplitude:v4 octaves:i lacunarity,diminish:f texcoord:v2 | c4
fractal2d *_$FA | amplitude:f octaves:i lacunarity,diminish:f texcoord:v2 | c3 c4 v2 v3 v4
fractal3d *_$ | amplitude:$ octaves:i lacunarity,diminish:f position:v3 | f v2 v3 v4
fractal3d *_$ | amplitude:v3 octaves:i lacunarity,diminish:f position:v3 | c3
fractal3d *_$ | amplitude:v4 octaves:i lacunarity,diminish:f position:v3 | c4
fractal3d *_$FA | amplitude:f octaves:i lacunarity,diminish:f position:v3 | c3 c4 v2 v3 v4
cellnoise2d *_$ | texcoord:v2 | f
cellnoise3d *_$ | position:v3 | f
worleynoise2d *_$ | texcoord:v2 jitter:f style:i | f v2 v3
worleynoise3d *_$ | position:v3 jitter:f style:i | f v2 v3
unifiednoise2d *_$ | texcoord,freq,offset:v2 jitter,outmin,outmax:f clampoutput:b octaves:i lacunarity,diminish:f
  type,style:i | f
unifiednoise3d *_$ | position,freq,offset:v3 jitter,outmin,outmax:f clampoutput:b octaves:i lacunarity,diminish:f
  type,style:i | f
randomfloat *_$ | in,min,max:f seed:i | f
randomfloat *_integer | in:i min,max:f seed:i | f
randomcolor *_float | in,huelow,huehigh,saturationlow,saturationhigh,brightnesslow,brightnesshigh:f seed:i | c3
randomcolor *_integer | in:i huelow,huehigh,saturationlow,saturationhigh,brightnesslow,brightnesshigh:f seed:i | c3
checkerboard *_$ | color1,color2:c3 uvtiling,uvoffset,texcoord:v2 | c3
line *_$ | texcoord,center:v2 radius:f point1,point2:v2 | f
circle *_$ | texcoord,center:v2 radius:f | f
cloverleaf *_$ | texcoord,center:v2 radius:f | f
hexagon *_$ | texcoord,center:v2 radius:f | f
grid *_$ | texcoord,uvtiling,uvoffset:v2 thickness:f staggered:b | c3
crosshatch *_$ | texcoord,uvtiling,uvoffset:v2 thickness:f staggered:b | c3
tiledcircles *_$ | texcoord,uvtiling,uvoffset:v2 size:f staggered:b | c3
tiledcloverleafs *_$ | texcoord,uvtiling,uvoffset:v2 size:f staggered:b | c3
tiledhexagons *_$ | texcoord,uvtiling,uvoffset:v2 size:f staggered:b | c3
position *_$ | space:s | v3
normal *_$ | space:s | v3
tangent *_$ | space:s index:i | v3
bitangent *_$ | space:s index:i | v3
texcoord *_$ | index:i | v2 v3
geomcolor *_$ | index:i | f c3 c4
geompropvalue *_$ | geomprop:s default:$ | i b f c3 c4 v2 v3 v4
geompropvalueuniform *_$ | geomprop:s default:$ | s file
bump *_$ | height,scale:f normal,tangent,bitangent:v3 | v3
frame *_$ | | f
time *_$ | fps:f | f
add *_$ | in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
add *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4 m3 m4
subtract *_$ | in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
subtract *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4 m3 m4
multiply *_$ | in1,in2:$ | f c3 c4 v2 v3 v4 m3 m4
multiply *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
divide *_$ | in1,in2:$ | f c3 c4 v2 v3 v4 m3 m4
divide *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
modulo *_$ | in1,in2:$ | f c3 c4 v2 v3 v4
modulo *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
fract *_$ | in:$ | f c3 c4 v2 v3 v4
invert *_$ | in,amount:$ | f c3 c4 v2 v3 v4
invert *_$FA | in:$ amount:f | c3 c4 v2 v3 v4
absval *_$ | in:$ | f c3 c4 v2 v3 v4
floor *_$ | in:$ | f c3 c4 v2 v3 v4
floor *_$ | in:f | i
ceil *_$ | in:$ | f c3 c4 v2 v3 v4
ceil *_$ | in:f | i
round *_$ | in:$ | f c3 c4 v2 v3 v4
round *_$ | in:f | i
power *_$ | in1,in2:$ | f c3 c4 v2 v3 v4
power *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
safepower *_$ | in1,in2:$ | f c3 c4 v2 v3 v4
safepower *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
sin *_$ | in:$ | f v2 v3 v4
cos *_$ | in:$ | f v2 v3 v4
tan *_$ | in:$ | f v2 v3 v4
asin *_$ | in:$ | f v2 v3 v4
acos *_$ | in:$ | f v2 v3 v4
atan2 *_$ | iny,inx:$ | f v2 v3 v4
sqrt *_$ | in:$ | f v2 v3 v4
ln *_$ | in:$ | f v2 v3 v4
exp *_$ | in:$ | f v2 v3 v4
sign *_$ | in:$ | f c3 c4 v2 v3 v4
clamp *_$ | in,low,high:$ | f c3 c4 v2 v3 v4
clamp *_$FA | in:$ low,high:f | c3 c4 v2 v3 v4
min *_$ | in1,in2:$ | f c3 c4 v2 v3 v4
min *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
max *_$ | in1,in2:$ | f c3 c4 v2 v3 v4
max *_$FA | in1:$ in2:f | c3 c4 v2 v3 v4
normalize *_$ | in:$ | v2 v3 v4
magnitude *_vector2 | in:v2 | f
magnitude *_vector3 | in:v3 | f
magnitude *_vector4 | in:v4 | f
distance *_vector2 | in1,in2:v2 | f
distance *_vector3 | in1,in2:v3 | f
distance *_vector4 | in1,in2:v4 | f
dotproduct *_vector2 | in1,in2:v2 | f
dotproduct *_vector3 | in1,in2:v3 | f
dotproduct *_vector4 | in1,in2:v4 | f
crossproduct *_$ | in1,in2:v3 | v3
transformpoint *_$ | in:v3 fromspace,tospace:s | v3
transformvector *_$ | in:v3 fromspace,tospace:s | v3
transformnormal *_$ | in:v3 fromspace,tospace:s | v3
transformmatrix *_$M3 | in:v2 mat:m3 | v2
transformmatrix *_$ | in:v3 mat:m3 | v3
transformmatrix *_$ | in:v4 mat:m4 | v4
transformmatrix *_$M4 | in:v3 mat:m4 | v3
normalmap *_float | in:v3 scale:f normal,tangent,bitangent:v3 | v3
normalmap *_vector2 | in:v3 scale:v2 normal,tangent,bitangent:v3 | v3
hextilednormalmap *_$ | file:file default:v3 texcoord,tiling:v2 rotation:f rotationrange:v2 scale:f scalerange:v2
  offset:f offsetrange:v2 falloff,strength:f flip_g:b normal,tangent,bitangent:v3 | v3
transpose *_$ | in:$ | m3 m4
determinant *_matrix33 | in:m3 | f
determinant *_matrix44 | in:m4 | f
invertmatrix *_$ | in:$ | m3 m4
rotate2d *_$ | in:v2 amount:f | v2
rotate3d *_$ | in:v3 amount:f axis:v3 | v3
place2d *_$ | texcoord,pivot,scale:v2 rotate:f offset:v2 operationorder:i | v2
trianglewave *_$ | in:f | f
reflect *_$ | in,normal:v3 | v3
refract *_$ | in,normal:v3 ior:f | v3
remap *_$ | in,inlow,inhigh,outlow,outhigh:$ | f c3 c4 v2 v3 v4
remap *_$FA | in:$ inlow,inhigh,outlow,outhigh:f | c3 c4 v2 v3 v4
smoothstep *_$ | in,low,high:$ | f c3 c4 v2 v3 v4
smoothstep *_$FA | in:$ low,high:f | c3 c4 v2 v3 v4
luminance *_$ | in:$ lumacoeffs:c3 | c3 c4
rgbtohsv *_$ | in:$ | c3 c4
hsvtorgb *_$ | in:$ | c3 c4
contrast *_$ | in,amount,pivot:$ | f c3 c4 v2 v3 v4
contrast *_$FA | in:$ amount,pivot:f | c3 c4 v2 v3 v4
range *_$ | in,inlow,inhigh,gamma,outlow,outhigh:$ doclamp:b | f c3 c4 v2 v3 v4
range *_$FA | in:$ inlow,inhigh,gamma,outlow,outhigh:f doclamp:b | c3 c4 v2 v3 v4
hsvadjust *_$ | in:$ amount:v3 | c3 c4
saturate *_$ | in:$ amount:f lumacoeffs:c3 | c3 c4
colorcorrect *_$ | in:$ hue,saturation,gamma,lift,gain,contrast,contrastpivot,exposure:f | c3 c4
premult *_$ | in:c4 | c4
unpremult *_$ | in:c4 | c4
plus *_$ | fg,bg:$ mix:f | f c3 c4
minus *_$ | fg,bg:$ mix:f | f c3 c4
difference *_$ | fg,bg:$ mix:f | f c3 c4
burn *_$ | fg,bg:$ mix:f | f c3 c4
dodge *_$ | fg,bg:$ mix:f | f c3 c4
screen *_$ | fg,bg:$ mix:f | f c3 c4
overlay *_$ | fg,bg:$ mix:f | f c3 c4
disjointover *_$ | fg,bg:c4 mix:f | c4
in *_$ | fg,bg:c4 mix:f | c4
mask *_$ | fg,bg:c4 mix:f | c4
matte *_$ | fg,bg:c4 mix:f | c4
out *_$ | fg,bg:c4 mix:f | c4
over *_$ | fg,bg:c4 mix:f | c4
inside *_$ | in:$ mask:f | f c3 c4
outside *_$ | in:$ mask:f | f c3 c4
mix *_$ | fg,bg:$ mix:f | f c3 c4 v2 v3 v4 surface displacement volume
mix *_$_$ | fg,bg,mix:$ | c3 c4 v2 v3 v4
ifgreater *_$ | value1,value2:f in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifgreater *_$ | value1,value2:f | b
ifgreater *_$I | value1,value2:i in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifgreater *_$I | value1,value2:i | b
ifgreatereq *_$ | value1,value2:f in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifgreatereq *_$ | value1,value2:f | b
ifgreatereq *_$I | value1,value2:i in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifgreatereq *_$I | value1,value2:i | b
ifequal *_$ | value1,value2:f in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifequal *_$ | value1,value2:f | b
ifequal *_$I | value1,value2:i in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifequal *_$I | value1,value2:i | b
ifequal *_$B | value1,value2:b in1,in2:$ | f i c3 c4 v2 v3 v4 m3 m4
ifequal *_$B | value1,value2:b | b
switch *_$ | in1,in2,in3,in4,in5,in6,in7,in8,in9,in10:$ which:f | f c3 c4 v2 v3 v4 m3 m4
switch *_$I | in1,in2,in3,in4,in5,in6,in7,in8,in9,in10:$ which:i | f c3 c4 v2 v3 v4 m3 m4
convert *_float_$ | in:f | c3 c4 v2 v3 v4 surface
convert *_color3_$ | in:c3 | c4 v2 v3 v4 surface
convert *_color4_$ | in:c4 | c3 v2 v3 v4 surface
convert *_vector2_$ | in:v2 | c3 c4 v3 v4 surface
convert *_vector3_$ | in:v3 | c3 c4 v2 v4 surface
convert *_vector4_$ | in:v4 | c3 c4 v2 v3 surface
convert *_boolean_$ | in:b | f c3 c4 v2 v3 v4 i surface
convert *_integer_$ | in:i | f c3 c4 v2 v3 v4 b surface
combine2 *_$ | in1,in2:f | v2
combine2 *_$CF | in1:c3 in2:f | c4
combine2 *_$VF | in1:v3 in2:f | v4
combine2 *_$VV | in1,in2:v2 | v4
combine3 *_$ | in1,in2,in3:f | c3 v3
combine4 *_$ | in1,in2,in3,in4:f | c4 v4
creatematrix *_vector3_$ | in1,in2,in3:v3 | m3
creatematrix *_vector3_$ | in1,in2,in3,in4:v3 | m4
creatematrix *_vector4_$ | in1,in2,in3,in4:v4 | m4
extract *_color3 | in:c3 index:i | f
extract *_color4 | in:c4 index:i | f
extract *_vector2 | in:v2 index:i | f
extract *_vector3 | in:v3 index:i | f
extract *_vector4 | in:v4 index:i | f
separate2 *_vector2 | in:v2 | | outx,outy:f
separate3 *_color3 | in:c3 | | outr,outg,outb:f
separate3 *_vector3 | in:v3 | | outx,outy,outz:f
separate4 *_color4 | in:c4 | | outr,outg,outb,outa:f
separate4 *_vector4 | in:v4 | | outx,outy,outz,outw:f
blur *_$ | in:$ size:f filtertype:s | f c3 c4 v2 v3 v4
heighttonormal *_$ | in,scale:f texcoord:v2 | v3
and logical_and | in1,in2:b | b
or logical_or | in1,in2:b | b
xor logical_xor | in1,in2:b | b
not logical_not | in:b | b
dot *_$ | in:$ note:s | f c3 c4 v2 v3 v4 b i m3 m4 s file surface displacement volume light
normalmap * | in:v3 space:s scale:f normal,tangent:v3 | v3
normalmap *_vector2 | in:v3 space:s scale:v2 normal,tangent:v3 | v3
swizzle *_float_$ | in:f channels:s | f c3 c4 v2 v3 v4
swizzle *_color3_$ | in:c3 channels:s | f c3 c4 v2 v3 v4
swizzle *_color4_$ | in:c4 channels:s | f c3 c4 v2 v3 v4
swizzle *_vector2_$ | in:v2 channels:s | f c3 c4 v2 v3 v4
swizzle *_vector3_$ | in:v3 channels:s | f c3 c4 v2 v3 v4
swizzle *_vector4_$ | in:v4 channels:s | f c3 c4 v2 v3 v4
`;

const TYPES: Readonly<Record<string, string>> = {
  f: 'float',
  i: 'integer',
  b: 'boolean',
  s: 'string',
  c3: 'color3',
  c4: 'color4',
  v2: 'vector2',
  v3: 'vector3',
  v4: 'vector4',
  m3: 'matrix33',
  m4: 'matrix44',
  file: 'filename',
  surface: 'surfaceshader',
  displacement: 'displacementshader',
  volume: 'volumeshader',
  light: 'lightshader',
};

/** Parses ports such as `a,b:v2 c:$`, where `$` is the type `main`. */
function ports(text: string, main: string): Port[] {
  return text.split(' ').flatMap((group) => {
    const colon = group.indexOf(':');
    if (colon < 0) return [];
    const short = group.slice(colon + 1);
    const type = short === '$' ? main : (TYPES[short] ?? short);
    return group
      .slice(0, colon)
      .split(',')
      .map((name) => ({ name, type }));
  });
}

function readTable(): Map<string, NodeDef[]> {
  const byNode = new Map<string, NodeDef[]>();
  // A line can be broken after a comma in a list of names, or at a blank.
  const lines = TABLE.trim().replaceAll(/,\n +/g, ',').replaceAll(/\n +/g, ' ').split('\n');
  for (const line of lines) {
    const [head, inputs, types, outputs = ''] = line.split(' |').map((part) => part.trim());
    const [node, pattern] = head.split(' ');
    const [id, version = ''] = pattern.replace('*', node).split('@');
    const defs = byNode.get(node) ?? [];
    byNode.set(node, defs);
    for (const short of types === '' ? [''] : types.split(' ')) {
      const main = TYPES[short] ?? short;
      const outs = outputs === '' ? [{ name: 'out', type: main }] : ports(outputs, main);
      defs.push({
        name: `ND_${id.replaceAll('$', main)}`,
        node,
        type: outs.length === 1 ? outs[0].type : 'multioutput',
        version,
        isDefault: version === '',
        inputs: ports(inputs, main),
        outputs: outs,
        implementation: null,
      });
    }
  }
  return byNode;
}

let table: ReadonlyMap<string, readonly NodeDef[]> | null = null;

/** The standard definitions by the category of the node that they define. */
export function standardNodes(): ReadonlyMap<string, readonly NodeDef[]> {
  table ??= readTable();
  return table;
}
