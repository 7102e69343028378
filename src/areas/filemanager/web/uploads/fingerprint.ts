const edgeBytes = 256 * 1024
const seed = 0x811c9dc5
const prime = 0x01000193

/**
 * Identifies a file of a given size without reading all of it: by its start, its end and its modification
 * time.
 */
export async function fingerprintOf(file: Blob & { readonly lastModified: number }): Promise<string> {
  const edges = new Blob([file.slice(0, edgeBytes), file.slice(Math.max(edgeBytes, file.size - edgeBytes))])
  const bytes = new Uint8Array(await edges.arrayBuffer())
  let hash = seed
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime)
  return `${file.size}-${file.lastModified}-${(hash >>> 0).toString(16)}`
}

/**
 * Returns the SHA-256 of a part in hexadecimal; undefined without Web Crypto, which needs https or
 * localhost.
 */
export async function sha256Of(part: Blob): Promise<string | undefined> {
  if (!globalThis.isSecureContext) return undefined
  const digest = await crypto.subtle.digest('SHA-256', await part.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
