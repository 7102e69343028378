/** A cipher, by the keyword that strongSwan has for it in IKE and ESP alike. */
export type Encryption =
  | 'aes128'
  | 'aes192'
  | 'aes256'
  | 'aes128gcm16'
  | 'aes192gcm16'
  | 'aes256gcm16'
  | 'chacha20poly1305'
  | '3des'

/** A hash, by the keyword that strongSwan has for it; a cipher that authenticates itself uses it for its keys alone. */
export type Integrity = 'sha256' | 'sha384' | 'sha512' | 'sha1' | 'md5'

/** A group of Diffie-Hellman, by the keyword that strongSwan has for it. */
export type Group =
  | 'modp2048'
  | 'modp3072'
  | 'modp4096'
  | 'modp6144'
  | 'modp8192'
  | 'ecp256'
  | 'ecp384'
  | 'ecp521'
  | 'curve25519'
  | 'modp1536'
  | 'modp1024'

/** How packets are encrypted and authenticated. */
export interface Protection {
  readonly enc: Encryption
  readonly auth: Integrity
}

const isAuthenticated = (enc: Encryption): boolean => enc.includes('gcm') || enc === 'chacha20poly1305'

/** Renders a proposal for the keys of the gateways themselves (swanctl.conf(5), `proposals`). */
export const ikeProposal = ({ enc, auth }: Protection, group: Group): string =>
  `${enc}-${isAuthenticated(enc) ? `prf${auth}` : auth}-${group}`

/** Renders a proposal for packets (swanctl.conf(5), `esp_proposals`); with a group, each key is agreed on anew. */
export const espProposal = ({ enc, auth }: Protection, group: Group | null): string =>
  [enc, ...(isAuthenticated(enc) ? [] : [auth]), ...(group === null ? [] : [group])].join('-')
