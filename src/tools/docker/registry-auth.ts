import { dockerHub } from './reference.ts'

/** What a registry asks for before it hands out images. */
export interface RegistryCredentials {
  /** As `registryOf` names it. */
  readonly registry: string
  readonly username: string
  readonly password: string
}

/** Headers of a request to the engine. */
export type RequestHeaders = Readonly<Record<string, string>>

/** Returns the header by which the engine is told credentials: base64 with the alphabet of URLs and with padding, which it requires. */
export function authHeader({ registry, username, password }: RegistryCredentials): RequestHeaders {
  const serveraddress = registry === dockerHub ? 'https://index.docker.io/v1/' : registry
  const json = JSON.stringify({ username, password, serveraddress })
  const encoded = Buffer.from(json).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  return { 'X-Registry-Auth': encoded }
}
