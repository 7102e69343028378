import type { Asker } from './addresses.ts'

/** A file to download. */
export interface Wanted {
  readonly url: string
  /** The caller: decides which addresses may be reached. */
  readonly asker: Asker
  readonly maxBytes: number
  readonly signal?: AbortSignal
  /** The offset at which an earlier download was interrupted, and its version; the server may still start at 0. */
  readonly from?: { readonly offset: number; readonly validator: string }
  /** Receives after each piece the next offset in the file, and the file's size if the server states it. */
  readonly onProgress?: (endBytes: number, sizeBytes: number | undefined) => void
  /** JSON to send with POST, and headers with it; absent for GET. Redirects are then not followed. */
  readonly post?: { readonly body: object; readonly headers: Readonly<Record<string, string>> }
  /** The public key that the server must have, as `readKey` returns it; empty for a certificate that is valid for its name. */
  readonly pin?: string
}
