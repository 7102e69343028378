import { hexadecimalForm, isV6 } from './addresses.ts'

/** Returns the key of a record's data: data of a type with the same key are the same record. */
export function contentKey(type: string, content: string): string {
  // PowerDNS reads out an address dotted that it has taken in hexadecimal groups, if it embeds an IPv4 address
  if (type === 'AAAA' && isV6(content.trim())) return hexadecimalForm(content.trim())
  const spaced = content.trim().replaceAll(quotedOrBlanks, (part) => (part.startsWith('"') ? part : ' '))
  return caselessTypes.has(type) ? spaced.toLowerCase() : spaced
}

/**
 * Blanks inside quotes are part of a text; outside they separate fields, and their number is of no effect. A quote
 * may be unclosed, so that the expression is linear.
 */
const quotedOrBlanks = /"(?:[^"\\]|\\[\s\S])*"?|\s+/g

/**
 * Types whose data are names, numbers with their units, and hexadecimal digits. The others have text or base64,
 * whose case counts.
 */
const caselessTypes = new Set([
  ...['A', 'AAAA', 'AFSDB', 'ALIAS', 'CNAME', 'DNAME', 'KX', 'LP', 'MX', 'NS', 'PTR', 'RP', 'SOA', 'SRV'],
  ...['CDS', 'DS', 'EUI48', 'EUI64', 'L64', 'LOC', 'NID', 'SMIMEA', 'SSHFP', 'TLSA'],
])
