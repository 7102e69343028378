/** Returns the address of an S3 server, with https where no scheme is given; undefined if it is none. */
export function urlOf(endpoint: string): URL | undefined {
  const url = URL.parse(/^[a-z]+:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`)
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '' ? url : undefined
}

/** True for a name that stays one part of an address: `.` and `..`, encoded or not, are taken as steps of a path. */
export const isPlainPart = (part: string): boolean => part !== '.' && part !== '..'

/** True for a key, or the start of one, whose address is that of an object of its bucket. */
export const isPlainKey = (key: string): boolean => key.split('/').every(isPlainPart)

/** Returns the address of an object. */
export function objectUrl(
  { endpoint, bucket }: { readonly endpoint: string; readonly bucket: string },
  key: string,
): string {
  const url = urlOf(endpoint)
  const base = url === undefined ? endpoint : bucketUrl(url, bucket)
  return `${base}/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** Returns the address of a bucket: in the path, unless the name of the server already begins with it. */
export function bucketUrl(endpoint: URL, bucket: string): string {
  const base = endpoint.href.replace(/\/+$/, '')
  return endpoint.hostname.startsWith(`${bucket}.`) ? base : `${base}/${encodeURIComponent(bucket)}`
}
