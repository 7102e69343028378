import { connect, type AddressInfo, type Socket } from 'node:net'
import type { IntakeOptions } from '../intake.ts'
import { openSample } from './sample.ts'
import { until } from '../../../../test/support/until.ts'

/** The Content-Type of the forms that are made here. */
export const formType = 'multipart/form-data; boundary=x'
/** The end of a form. */
export const last = '--x--\r\n'

/** One field of a form, byte by byte. */
export const field = (name: string, value: string, type?: string) => part(`name="${name}"`, value, type)
/** The file of a form. */
export const file = (fileName: string, content: string) =>
  part(`name="file"; filename="${fileName}"`, content)

function part(disposition: string, content: string, type?: string): string {
  return `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`
}

/** The options of an upload. */
export interface Sent {
  readonly type?: string
  readonly query?: string
  readonly key?: string
  readonly method?: string
}

/** The sample surface on a real port, and uploads to it byte by byte. */
export async function openUploads(intake: IntakeOptions = {}) {
  const sample = await openSample([], intake)
  await sample.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = sample.app.server.address() as AddressInfo
  const send = async (body: string, { type = formType, query = '', key, method = 'POST' }: Sent = {}) => {
    const headers = {
      authorization: 'Bearer ada',
      'content-type': type,
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const reply = await fetch(`http://127.0.0.1:${port}/api/boxes/upload${query}`, {
      method,
      body: Buffer.from(body),
      headers,
    })
    const { data, error } = (await reply.json()) as any
    return {
      status: reply.status,
      data,
      code: error?.code,
      message: error?.message,
      isRepeat: reply.headers.get('idempotency-replayed') === 'true',
    }
  }
  return {
    sample,
    port,
    send,
    sendBytes: (bytes: string, more: Sent = {}) =>
      send(bytes, { type: 'application/octet-stream', query: '?path=%2Fa', ...more }),
    /** Begins a request of 9000 bytes, or of the given size, whose client can disconnect. */
    begin: (
      body: string,
      { type = formType, query = '', key = 'begun', method = 'POST' }: Sent = {},
      length = 9000,
    ): Socket => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      const head = [
        `${method} /api/boxes/upload${query} HTTP/1.1`,
        'Host: x',
        'Authorization: Bearer ada',
        `Idempotency-Key: ${key}`,
      ]
      socket.write([...head, `Content-Type: ${type}`, `Content-Length: ${length}`, '', body].join('\r\n'))
      return socket
    },
    /** Resolves once a change is running. */
    untilBegun: () =>
      until(
        async () =>
          (await sample.store.db.selectFrom('changes').select('id').where('state', '=', 'intended').execute())
            .length === 1,
      ),
    bugs: () => sample.lines.filter(({ level }) => level === 'error'),
    forget: () => {
      sample.boxes.uploads.length = 0
      sample.lines.length = 0
    },
    close: async () => {
      await sample.http.stop(100)
      await sample.store.close()
    },
  }
}
