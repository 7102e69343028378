import { X509Certificate } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'

const most = 100

/** The name of the host where that is a full one, otherwise an address. */
export function hostPart(): string {
  const name = hostname().toLowerCase()
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name)) return name
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

/** The names and addresses of this host, as they are in an address of the web: those of its certificate, and its own. */
export function addressesOf(certificate: string | undefined): readonly string[] {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const addresses = own.map(({ address }) => address).filter((each) => !isLocal(each))
  const all = [hostPart(), hostname(), ...namesIn(certificate), ...addresses]
  return [...new Set(all.map((each) => each.toLowerCase()))]
    .filter((each) => /^[a-z0-9.:-]+$/.test(each))
    .map((each) => (each.includes(':') ? `[${each}]` : each))
    .slice(0, most)
}

/** Addresses that no other host can use, and those that browsers take none of. */
const isLocal = (address: string): boolean => /^(?:127\.|::1$|fe80:)/i.test(address)

/** The names and addresses that a certificate is valid for; none if it cannot be read, and none with a wildcard. */
function namesIn(certificate: string | undefined): readonly string[] {
  if (certificate === undefined) return []
  try {
    const { subjectAltName = '' } = new X509Certificate(certificate)
    return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.includes('*'))
  } catch {
    return []
  }
}
