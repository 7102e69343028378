import { renderTable } from '../render-table.ts'
import type { NftRule, TableDraft } from '../rule.ts'

const rule = (id: number, rest: Partial<NftRule>): NftRule => ({
  id,
  action: 'allow',
  protocol: 'tcp',
  ports: [],
  sources: [],
  family: 'any',
  rate: null,
  ...rest,
})

/** One rule of each form. */
export const goldenDraft: TableDraft = {
  rules: [
    rule(1, { ports: ['443', '80', '8000-8100', '8090-8200', '81'] }),
    rule(2, { action: 'deny', protocol: 'any', sources: ['192.0.2.0/24', '192.0.2.7', '2001:db8::/32'] }),
    rule(3, { action: 'reject', protocol: 'udp', ports: ['53'], family: 'ipv6' }),
    rule(4, { action: 'limit', ports: ['22'], rate: '10/minute' }),
    rule(5, { action: 'deny', protocol: 'icmp' }),
    rule(6, { protocol: 'any', ports: ['500'], sources: ['198.51.100.7'] }),
    rule(7, { protocol: 'any', sources: ['0.0.0.0/0'] }),
    rule(8, { action: 'deny', protocol: 'any' }),
  ],
  always: [7070],
  open: [
    { port: 22, protocol: 'tcp' },
    { port: 80, protocol: 'tcp' },
    { port: 443, protocol: 'udp' },
  ],
}

/** The table with all of them. */
export const golden = (): string => renderTable(goldenDraft)
