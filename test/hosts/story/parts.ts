import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Answer, Owner } from './signed-in.ts'

/** An upload in parts to one owner's home, as a client would do it. */
export class PartsClient {
  readonly #owner: Owner

  constructor(owner: Owner) {
    this.#owner = owner
  }

  open(name: string, sizeBytes: number, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { username, signedIn } = this.#owner
    const query = new URLSearchParams({
      username,
      name,
      resumable: 'true',
      size_bytes: String(sizeBytes),
      ...more,
    })
    return signedIn.ask('POST', `/api/filemanager/upload?${query}`)
  }

  read(id: number): Promise<{ readonly offset_bytes: number; readonly state: string }> {
    return this.#owner.signedIn.must('GET', `/api/filemanager/upload/${id}`)
  }

  send(id: number, offset: number, part: Uint8Array, sha256?: string): Promise<Answer> {
    const query = new URLSearchParams({ offset: String(offset), ...(sha256 !== undefined && { sha256 }) })
    return this.#owner.signedIn.ask('PATCH', `/api/filemanager/upload/${id}?${query}`, part)
  }

  /** Begins a part over a connection of its own, sends some of it and no more; the caller cuts the connection. */
  async begin(
    id: number,
    offset: number,
    part: Uint8Array,
    { promised, sha256 }: { readonly promised: number; readonly sha256?: string },
  ): Promise<Socket> {
    const { token, panel } = this.#owner.signedIn
    const socket = await panel.host.connect(Number(panel.environment.HOSTREEVE_PORT))
    socket.on('error', () => {}) // the panel is killed under it
    const query = new URLSearchParams({ offset: String(offset), ...(sha256 !== undefined && { sha256 }) })
    const head = [
      `PATCH /api/filemanager/upload/${id}?${query} HTTP/1.1`,
      'Host: panel',
      `Authorization: Bearer ${token}`,
      `Content-Length: ${promised}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    return socket
  }
}
