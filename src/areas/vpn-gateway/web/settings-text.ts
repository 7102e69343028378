/** The fields of the settings. */
export const settingsText = {
  domain: { label: 'Domain', hint: 'Leads to this host, such as vpn.example.com' },
  username: { label: 'Owner of its website', hint: 'A hosting user; leave blank for your own' },
  base_domain: { label: 'Domain of node names', hint: 'laptop.mesh.internal for mesh.internal' },
  magic_dns: { label: 'Node names in DNS' },
  nameservers: { label: 'DNS servers of nodes', hint: 'Leave blank to keep those of each node' },
} as const
