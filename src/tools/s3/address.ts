/** Returns the address of an S3 server, with https where no scheme is given; undefined if it is none. */
export function urlOf(endpoint: string): URL | undefined {
  const url = URL.parse(/^[a-z]+:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`)
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '' ? url : undefined
}

/** Returns the address of a bucket: in the path, unless the name of the server already begins with it. */
export function bucketUrl(endpoint: URL, bucket: string): string {
  const base = endpoint.href.replace(/\/+$/, '')
  return endpoint.hostname.startsWith(`${bucket}.`) ? base : `${base}/${encodeURIComponent(bucket)}`
}
