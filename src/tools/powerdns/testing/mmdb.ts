import { hexBounds, parseNetwork } from '../../../host/networks.ts'

type Node = [number | null | { readonly at: number }, number | null | { readonly at: number }]

const control = (type: number, size: number): Buffer =>
  type < 8 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7])
const text = (value: string): Buffer => Buffer.concat([control(2, value.length), Buffer.from(value)])
const map = (fields: Readonly<Record<string, Buffer>>): Buffer =>
  Buffer.concat([
    control(7, Object.keys(fields).length),
    ...Object.entries(fields).flatMap(([name, value]) => [text(name), value]),
  ])

function number(type: number, value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.concat([control(type, bytes.length), Buffer.from(bytes)])
}

/** Makes an MMDB file in which networks such as `192.0.2.0/24` and `2001:db8::/32` have a country. */
export function mmdb(networks: Readonly<Record<string, string>>, built: Date): Buffer {
  const nodes: Node[] = [[null, null]]
  const records: Buffer[] = []
  let size = 0
  for (const [network, country] of Object.entries(networks)) {
    const record = map({ country: map({ iso_code: text(country) }) })
    addNetwork(nodes, network, { at: size })
    records.push(record)
    size += record.length
  }
  const tree = Buffer.alloc(nodes.length * 6)
  const pointer = (target: Node[0]) =>
    target === null ? nodes.length : typeof target === 'number' ? target : nodes.length + 16 + target.at
  nodes.forEach((node, at) =>
    node.forEach((target, side) => tree.writeUIntBE(pointer(target), at * 6 + side * 3, 3)),
  )
  const metadata = map({
    node_count: number(6, nodes.length),
    record_size: number(5, 24),
    ip_version: number(5, 6),
    database_type: text('GeoLite2-Country'),
    languages: Buffer.concat([control(11, 1), text('en')]),
    binary_format_major_version: number(5, 2),
    binary_format_minor_version: number(5, 0),
    build_epoch: number(9, Math.floor(built.getTime() / 1000)),
    description: map({ en: text('test') }),
  })
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...records,
    Buffer.from('abcdef', 'hex'),
    Buffer.from('MaxMind.com'),
    metadata,
  ])
}

function addNetwork(nodes: Node[], network: string, record: { readonly at: number }): void {
  const parsed = parseNetwork(network)
  if (parsed === undefined) throw new Error(`not a network: ${network}`)
  const digits = hexBounds(parsed).first.padStart(32, '0')
  const length = parsed.prefix + (parsed.family === 'ipv4' ? 96 : 0)
  const binary = [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const bits = [...binary.slice(0, length)].map(Number)
  let at = 0
  bits.forEach((bit, depth) => {
    const node = nodes[at] as Node
    if (depth === bits.length - 1) return void (node[bit] = record)
    const next = node[bit]
    if (typeof next === 'number') return void (at = next)
    node[bit] = nodes.push([null, null]) - 1
    at = nodes.length - 1
  })
}
