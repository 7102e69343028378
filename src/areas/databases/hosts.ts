import { parseNetwork } from '../../host/networks.ts'
import { HostInvalid } from './problems.ts'

const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
const hostName = new RegExp(`^${label}(?:\\.${label})*$`)
const pattern = /^(?=.*[%\d])[\d.%]+$/

/** Returns the host of an account as the server keeps it; fails for what no user could connect from. */
export function accountHost(given: string): string {
  const host = given.toLowerCase()
  if (hostName.test(host) || isAddress(host) || pattern.test(host) || isNetwork(host)) return host
  throw HostInvalid(
    `host: ${given} must be a host name, an address, an address with netmask, or a pattern of digits, dots and %`,
  )
}

/** The server compares the address of a client, reduced by the mask, with the address: bits below the mask would match nobody. */
function isNetwork(host: string): boolean {
  const [address = '', mask = '', ...rest] = host.split('/')
  if (rest.length > 0 || !isIPv4(address) || !isIPv4(mask)) return false
  const [bits, ones] = [numberOf(address), numberOf(mask)]
  return /^1*0*$/.test(ones.toString(2).padStart(32, '0')) && (bits & ones) >>> 0 === bits
}

const isAddress = (text: string): boolean => !text.includes('/') && parseNetwork(text) !== undefined
const isIPv4 = (text: string): boolean => isAddress(text) && !text.includes(':')

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
