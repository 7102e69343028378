import type { Definition } from './definition.ts'

/** Where programs come from that Debian does not have, each by a base address or several, and one that may be elsewhere. */
export const sources = [
  {
    name: 'webadmin_url',
    title: 'Source of phpMyAdmin',
    group: 'Services',
    fallback: 'https://www.phpmyadmin.net,https://files.phpmyadmin.net',
    meaning:
      'Base addresses of home_page/version.txt and phpMyAdmin/VERSION/, with commas between: the first that has a file is used',
  },
  {
    name: 'opensearch_url',
    title: 'Source of OpenSearch',
    group: 'Services',
    fallback: 'https://artifacts.opensearch.org',
    meaning: 'Base address of releases/bundle/opensearch/2.x/apt and publickeys/opensearch.pgp',
  },
  {
    name: 'logstore_url',
    title: 'Nodes that keep log lines',
    group: 'Services',
    fallback: '',
    meaning:
      'Addresses of the nodes of an existing OpenSearch cluster, such as http://10.0.0.5:9200, with commas between; empty for a node of this host',
  },
  {
    name: 'headscale_url',
    title: 'Source of headscale',
    group: 'Services',
    fallback: 'https://github.com/juanfont/headscale/releases/download',
    meaning:
      'Base addresses of vVERSION/checksums.txt and the programs beside it, with commas between: the first that has a file is used',
  },
  {
    name: 'tailscale_url',
    title: 'Source of tailscale',
    group: 'Services',
    fallback: 'https://pkgs.tailscale.com/stable',
    meaning:
      'Base addresses of tailscale_VERSION_ARCHITECTURE.tgz and its .sha256, with commas between: the first that has a file is used',
  },
] as const satisfies readonly Definition[]
