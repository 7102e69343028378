import { isV6, writtenForm } from '../../../tools/powerdns/index.ts'
import { targetName } from '../names.ts'
import { RecordInvalid } from '../problems.ts'
import { integer, parametersOf, type Position } from './fields.ts'
import { bounded, parameterValue } from './texts.ts'

/** Returns the data of an HTTPS or SVCB record as PowerDNS writes it, which takes no other form (RFC 9460). */
export function binding(content: string, position: Position): string {
  const [priority, name = '', ...parameters] = parametersOf(content, position)
  const number = integer(priority, 'priority', 65_535, position)
  if (name === '') throw RecordInvalid(`${position.field}: must have the form 1 . alpn=h2`)
  const inForm = parameters.map((one) => parameterForm(one, position))
  const ordered = inForm.toSorted((one, other) => keyNumber(keyOf(one)) - keyNumber(keyOf(other)))
  return bounded([number, targetName(name, position.zone, position.field), ...ordered].join(' '), position)
}

/** Their place is their number (RFC 9460, 14.3.2). PowerDNS knows no further names, and takes those as `key7`. */
const keys = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint']

/** Keys whose values PowerDNS writes without the quotes that they do not need; those of others always have quotes. */
const unquotedKeys = new Set(['mandatory', 'alpn', 'port', 'ipv4hint', 'ipv6hint'])

const keyOf = (parameter: string): string => parameter.replace(/=[\s\S]*$/, '')

/** An unknown name comes last: PowerDNS refuses it. */
function keyNumber(key: string): number {
  const number = Number(/^key(\d{1,5})$/.exec(key)?.[1] ?? keys.indexOf(key))
  return number === -1 ? 65_536 : number
}

function parameterForm(parameter: string, position: Position): string {
  if (parameter.startsWith('"'))
    throw RecordInvalid(`${position.field}: each parameter must have the form alpn=h2`)
  const key = keyOf(parameter)
  if (key === parameter) return parameter
  const value = parameter.slice(key.length + 1)
  if (!unquotedKeys.has(key)) return `${key}=${parameterValue(value, position)}`
  const plain = value.replace(/^"([^"\\\s]*)"$/, '$1')
  return `${key}=${listForms[key]?.(plain.split(',')).join(',') ?? plain}`
}

const listForms: Readonly<Record<string, (values: readonly string[]) => readonly string[]>> = {
  ipv6hint: (addresses) => addresses.map((one) => (isV6(one) ? writtenForm(one) : one)),
  mandatory: (names) => names.toSorted((one, other) => keyNumber(one) - keyNumber(other)),
}
