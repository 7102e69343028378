/** A captured packet; fields that it does not have are empty. */
export interface Packet {
  readonly timestamp: string
  readonly src_ip: string
  readonly dst_ip: string
  readonly src_port: string
  readonly dst_port: string
  readonly protocol: string
  readonly length: number
  readonly info: string
  readonly raw_line: string
}

const line = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) (\w+),? (.*)$/

/** Reads a line of `tcpdump -n -tttt`; undefined for one that is no packet. */
export function readPacket(raw_line: string): Packet | undefined {
  const [, timestamp, family, rest] = line.exec(raw_line) ?? []
  if (timestamp === undefined || family === undefined || rest === undefined) return undefined
  const [, from = '', to = '', info = rest] = /^(\S+) > (\S+): (.*)$/.exec(rest) ?? []
  const [source, destination] = [addressOf(from, family), addressOf(to, family)]
  return {
    timestamp,
    src_ip: source.ip,
    dst_ip: destination.ip,
    src_port: source.port,
    dst_port: destination.port,
    protocol: protocolOf(family, info, source.port),
    length: Number(/length (\d+)/.exec(info)?.[1] ?? /\((\d+)\)$/.exec(info)?.[1] ?? 0),
    info,
    raw_line,
  }
}

function addressOf(text: string, family: string): { readonly ip: string; readonly port: string } {
  const form = family === 'IP' ? /^(\d+\.\d+\.\d+\.\d+)(?:\.(\d+))?$/ : /^([0-9a-fA-F:]+)(?:\.(\d+))?$/
  const [, ip = text, port = ''] = form.exec(text) ?? []
  return { ip, port }
}

function protocolOf(family: string, info: string, port: string): string {
  if (family !== 'IP' && family !== 'IP6') return family
  if (info.startsWith('Flags [')) return 'TCP'
  const [, named] = /^(ICMP6?|UDP|IGMP|GRE|ESP|SCTP)\b/i.exec(info) ?? []
  return named?.toUpperCase() ?? (port === '' ? family : 'UDP')
}
