/** Types that browsers insist on and that the lists of distributions lack, by the extension of the file. */
const mediaTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  cjs: 'text/javascript',
  flac: 'audio/flac',
  geojson: 'application/geo+json',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  ics: 'text/calendar',
  jsonld: 'application/ld+json',
  jxl: 'image/jxl',
  map: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript', // a module of another type is not executed (HTML, 8.1.3.2)
  opus: 'audio/ogg',
  otf: 'font/otf',
  ttf: 'font/ttf',
  vtt: 'text/vtt', // a track of another type is not shown
  wasm: 'application/wasm',
  weba: 'audio/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

/** A file extension with its media type. */
export type MediaType = readonly [extension: string, type: string]

/**
 * Returns the types that a list of nginx (`mime.types`) lacks: naming one twice is a warning at each start. None where
 * there is no list, as any type of our own would replace those that nginx has built in.
 */
export function missingTypes(list: string | undefined): readonly MediaType[] {
  if (list === undefined) return []
  const known = new Set(list.replaceAll(/#.*/g, '').split(/[\s;{}]+/))
  return Object.entries(mediaTypes).filter(([extension]) => !known.has(extension))
}
