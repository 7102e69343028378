import { isV4 } from '../../../host/fetch/index.ts'
import { hexadecimalForm, isV6, writtenForm } from '../../../tools/powerdns/index.ts'
import { targetName } from '../names.ts'
import { RecordInvalid } from '../problems.ts'
import { binding } from './binding.ts'
import { counted, fieldsOf, hex, integer, type Position } from './fields.ts'
import { location } from './location.ts'
import { bounded, text, texts } from './texts.ts'

type Check = (content: string, position: Position) => string

/** Before escapes are resolved: 64,000 characters, each as `\\DDD`, and quotes. */
const longestTyped = 300_000

const number16 = 65_535
const number32 = 4_294_967_295

/** Returns the data of a record as PowerDNS stores it; refuses data that its type does not allow. */
export function recordContent(type: string, content: string, position: Position): string {
  const check = checks[type]
  if (check === undefined) throw RecordInvalid(`${typeField(position)}: ${typeRefusal(type)}`)
  if (content.trim() === '') throw RecordInvalid(`${position.field}: must not be empty`)
  if (content.length > longestTyped)
    throw RecordInvalid(`${position.field}: a record has at most 64000 characters`)
  if (/[\u0000-\u001f\u007f]/.test(content) && type !== 'TXT' && type !== 'SPF')
    throw RecordInvalid(`${position.field}: must be one line without control characters`)
  return check(content.trim(), position)
}

/** True if records of this type can be set. */
export const isKnownType = (type: string): boolean => type in checks

const typeField = ({ field }: Position): string => field.replace(/records\[\d+\]\.content$/, 'type')
const typeRefusal = (type: string): string =>
  signatureTypes.has(type)
    ? `records of type ${type} are made by DNSSEC`
    : `${type} is not a type that PowerDNS serves`
const signatureTypes = new Set(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY'])

const address4: Check = (content, { field }) => {
  if (!isV4(content)) throw RecordInvalid(`${field}: must be an IPv4 address such as 192.0.2.1`)
  return content
}

const address6: Check = (content, { field }) => {
  if (!isV6(content)) throw RecordInvalid(`${field}: must be an IPv6 address such as 2001:db8::1`)
  return hexadecimalForm(content)
}

const target: Check = (content, position) => {
  counted(fieldsOf(content, position), 1, 'of one host name', position)
  return targetName(content, position.zone, position.field)
}

const preferred: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 2, '10 mail.example.com.', position)
  const preference = integer(fields[0], 'preference', number16, position)
  return `${preference} ${targetName(fields[1] ?? '', position.zone, position.field)}`
}

const service: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 4, 'PRIORITY WEIGHT PORT TARGET, such as 10 5 5060 sip.example.com.', position)
  const names = ['priority', 'weight', 'port']
  const numbers = names.map((name, at) => integer(fields[at], name, number16, position))
  return `${numbers.join(' ')} ${targetName(fields[3] ?? '', position.zone, position.field)}`
}

const authority: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 7, 'MNAME RNAME SERIAL REFRESH RETRY EXPIRE MINIMUM', position)
  const { zone, field } = position
  const names = fields.slice(0, 2).map((name) => targetName(name, zone, field))
  const numbers = ['serial', 'refresh', 'retry', 'expire', 'minimum'].map((name, at) =>
    integer(fields[at + 2], name, number32, position),
  )
  return [...names, ...numbers].join(' ')
}

const authorization: Check = (content, position) => {
  const [flags, tag = '', ...value] = fieldsOf(content, position)
  const { field } = position
  const critical = integer(flags, 'flags', 255, position)
  if (critical !== 0 && critical !== 128)
    throw RecordInvalid(
      `${field}: the flags must be 0, or 128 for critical (RFC 8659): ${flags} has no meaning`,
    )
  if (!/^[a-z0-9]{1,15}$/i.test(tag) || value.length !== 1)
    throw RecordInvalid(`${field}: must have the form 0 issue "ca.example.net"`)
  return `${critical} ${tag.toLowerCase()} ${text(value[0] ?? '', position)}`
}

/** Numbers and then digits, each number with its name and its greatest value. */
const digest =
  (...numbers: readonly (readonly [name: string, max: number])[]): Check =>
  (content, position) => {
    const fields = fieldsOf(content, position)
    const values = numbers.map(([name, max], at) => integer(fields[at], name, max, position))
    return [...values, hex(fields.slice(numbers.length), 'digest', position)].join(' ')
  }

const certificateAssociation = digest(['usage', 3], ['selector', 1], ['matching type', 2])
const delegation = digest(['key tag', number16], ['algorithm', 255], ['digest type', 255])

const naming: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 6, '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .', position)
  const numbers = ['order', 'preference'].map((name, at) => integer(fields[at], name, number16, position))
  const quoted = fields.slice(2, 5).map((part) => text(part, position))
  return [...numbers, ...quoted, targetName(fields[5] ?? '', position.zone, position.field)].join(' ')
}

const locator: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 3, '10 1 "https://www.example.com/"', position)
  const numbers = ['priority', 'weight'].map((name, at) => integer(fields[at], name, number16, position))
  return `${numbers.join(' ')} ${text(fields[2] ?? '', position)}`
}

const hardware: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 2, '"CPU" "OS"', position)
  return fields.map((part) => text(part, position)).join(' ')
}

const mailboxes: Check = (content, position) => {
  const fields = fieldsOf(content, position)
  counted(fields, 2, 'hostmaster.example.com. text.example.com.', position)
  return fields.map((name) => targetName(name, position.zone, position.field)).join(' ')
}

/** Checked by PowerDNS alone. */
const unchecked: Check = bounded

/** The type that a LUA record answers with, and its code. */
const program: Check = (content, position) =>
  unchecked(content, position).replace(/^[^\s"]+/, (type) => type.toUpperCase())

/** Fields and then base64, which may be in several parts, and which PowerDNS takes as one. */
const encoded =
  (fieldCount: number): Check =>
  (content, position) => {
    const fields = fieldsOf(content, position)
    const base64 = fields.slice(fieldCount).join('')
    return bounded([...fields.slice(0, fieldCount), base64].join(' ').trim(), position)
  }

/** Its fourth field is an address if the second one, the type of the gateway, is 2 (RFC 4025, 2.5). */
const gateway: Check = (content, position) =>
  encoded(4)(content, position).replace(
    /^(\S+ 2 \S+ )(\S+)/,
    (_all, head: string, address: string) => head + (isV6(address) ? writtenForm(address) : address),
  )

const checks: Readonly<Record<string, Check>> = {
  A: address4,
  AAAA: address6,
  AFSDB: preferred,
  ALIAS: target,
  CAA: authorization,
  CDNSKEY: encoded(3),
  CDS: delegation,
  CERT: encoded(3),
  CNAME: target,
  DHCID: encoded(0),
  DNAME: target,
  DS: delegation,
  EUI48: unchecked,
  EUI64: unchecked,
  HINFO: hardware,
  HTTPS: binding,
  IPSECKEY: gateway,
  KX: preferred,
  L32: unchecked,
  L64: unchecked,
  LOC: location,
  LP: preferred,
  LUA: program,
  MX: preferred,
  NAPTR: naming,
  NID: unchecked,
  NS: target,
  OPENPGPKEY: encoded(0),
  PTR: target,
  RP: mailboxes,
  SMIMEA: certificateAssociation,
  SOA: authority,
  SPF: texts,
  SRV: service,
  SSHFP: digest(['algorithm', 255], ['fingerprint type', 255]),
  SVCB: binding,
  TLSA: certificateAssociation,
  TXT: texts,
  URI: locator,
}
