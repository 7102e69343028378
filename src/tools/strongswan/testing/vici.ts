import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A section of a message of vici: values, lists and sections by name. */
export interface Section {
  [name: string]: Buffer | Buffer[] | Section
}

/** What a program asked of a stand-in for charon. */
export interface Asked {
  readonly command: string
  readonly message: Section
}

/** Listens as charon does for swanctl (src/libcharon/plugins/vici/README.md of strongSwan), and says yes to everything. */
export async function listenAsCharon(path: string) {
  const asked: Asked[] = []
  const server = createServer((socket) => {
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
        const length = rest.readUInt32BE(0)
        answer(socket, rest.subarray(4, 4 + length), asked)
        rest = rest.subarray(4 + length)
      }
    })
    socket.on('error', () => {})
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    asked,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

const [request, response, register, unregister, confirmed] = [0, 1, 3, 4, 5]
const yes = Buffer.from('\u0003\u0007success\u0000\u0003yes', 'latin1')

function answer(socket: Socket, packet: Buffer, asked: Asked[]): void {
  const type = packet[0]
  if (type === register || type === unregister) return send(socket, Buffer.from([confirmed!]))
  if (type !== request) throw new Error(`a packet of type ${type}`)
  const end = 2 + (packet[1] ?? 0)
  asked.push({ command: packet.toString('latin1', 2, end), message: parse(packet.subarray(end)) })
  send(socket, Buffer.concat([Buffer.from([response!]), yes]))
}

function send(socket: Socket, packet: Buffer): void {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(packet.length)
  socket.write(Buffer.concat([head, packet]))
}

/** Parses a message: elements with their type in the first byte. */
function parse(message: Buffer): Section {
  let at = 0
  const name = () => {
    const length = message[at] ?? 0
    at += 1 + length
    return message.toString('latin1', at - length, at)
  }
  const value = () => {
    const length = message.readUInt16BE(at)
    at += 2 + length
    return message.subarray(at - length, at)
  }
  const list = (): Buffer[] => {
    const items: Buffer[] = []
    while (message[at++] === 5) items.push(value())
    return items
  }
  const section = (): Section => {
    const found: Section = {}
    while (at < message.length) {
      const type = message[at++]
      if (type === 2) return found
      const key = name()
      if (type === 1) found[key] = section()
      else if (type === 3) found[key] = value()
      else if (type === 4) found[key] = list()
      else throw new Error(`an element of type ${type}`)
    }
    return found
  }
  return section()
}
