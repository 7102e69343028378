import { request } from '../../../web/client.ts'
import { filemanager } from './api.ts'
import { wirePath } from './names.ts'
import type { Whose } from './queries.ts'

/** Image types with a preview. All are inert, including SVG, because an image runs no script. */
const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
}

export const pictureLimitBytes = 24 * 1024 * 1024

/** Returns the type of a picture by its name; undefined for other files. */
export function pictureType(name: string): string | undefined {
  return pictureTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
}

/** Reads a picture as a URL that only an image can use. */
export async function readPicture(whose: Whose, path: string, signal: AbortSignal): Promise<string> {
  const type = pictureType(path) ?? 'image/png'
  const answer = await request(filemanager.download({ query: { ...whose, ...wirePath(path) } }), signal)
  return asDataUrl(new Blob([await answer.arrayBuffer()], { type }))
}

function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read')))
    reader.readAsDataURL(blob)
  })
}
