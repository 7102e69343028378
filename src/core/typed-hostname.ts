/** A longer text is not normalized, and so rejected. */
export const longestTyped = 2048

/**
 * Returns the host name in a text that a person typed or pasted: without a scheme, a path, a root dot and spaces around
 * it, in lower case, and in ASCII (IDNA, by the rules of URLs). A text that contains anything else, such as a
 * port, is returned for the schema to reject.
 */
export function hostnameFromTyped(text: string): string {
  if (text.length > longestTyped) return text
  const name = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
  // URL would silently drop a port, a user, and control characters
  if (/[:@\\\u0000-\u0020\u007f]/.test(name)) return text
  const host = URL.parse(`http://${name}`)?.hostname || name.toLowerCase()
  return host.replace(/\.$/, '') // the root of the DNS
}
