import { admittedMark } from '../nftables/index.ts'

const head = '<?xml version="1.0" encoding="utf-8"?>\n<!-- Written by Hostreeve: edits are lost. -->\n'
const about = '<short>Hostreeve</short>\n  <description>Packets that the firewall of Hostreeve admits.'

/** The set of IPv4 addresses with the mark: all of them, in two halves, as firewalld takes no prefix of length 0. */
const set4 = `${head}<ipset type="hash:ip,mark">
  ${about}</description>
  <option name="family" value="inet"/>
  <entry>0.0.0.0/1,${admittedMark}</entry>
  <entry>128.0.0.0/1,${admittedMark}</entry>
</ipset>
`
/** firewalld takes no IPv6 prefixes in a set of this type: its elements are added by nft. */
const set6 = `${head}<ipset type="hash:ip,mark">
  ${about} Its elements are added by nft.</description>
  <option name="family" value="inet6"/>
</ipset>
`
/** The lowest priority comes first. */
const policy = `${head}<policy priority="-32768" target="CONTINUE">
  ${about}</description>
  <ingress-zone name="ANY"/>
  <egress-zone name="HOST"/>
  <rule>
    <source ipset="hostreeve"/>
    <accept/>
  </rule>
  <rule>
    <source ipset="hostreeve6"/>
    <accept/>
  </rule>
</policy>
`

export const policyName = 'hostreeve'
export const richRules = [
  'rule source ipset="hostreeve" accept',
  'rule source ipset="hostreeve6" accept',
] as const
export const elements6 = `{ ::/1 . ${admittedMark}, 8000::/1 . ${admittedMark} }`
export const addElements6 = ['nft', 'add', 'element', 'inet', 'firewalld', 'hostreeve6', elements6] as const

/** firewalld has its D-Bus name before its table: the first command waits for an answer. */
const unit = `# Written by Hostreeve: it adds the IPv6 elements of the set hostreeve6.
[Service]
ExecStartPost=-/usr/bin/firewall-cmd --state
ExecStartPost=-/usr/sbin/${addElements6.slice(0, -1).join(' ')} "${elements6}"
`

/** The files by which firewalld accepts what the panel has marked, with their contents. */
export const policyFiles: Readonly<Record<string, string>> = {
  '/etc/firewalld/ipsets/hostreeve.xml': set4,
  '/etc/firewalld/ipsets/hostreeve6.xml': set6,
  '/etc/firewalld/policies/hostreeve.xml': policy,
  '/etc/systemd/system/firewalld.service.d/hostreeve.conf': unit,
}
