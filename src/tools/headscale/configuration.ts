import {
  apiPort,
  configurationPath,
  databasePath,
  dataDirectory,
  programPath,
  relayPort,
  subnetV6,
} from './layout.ts'

/** What a configuration is rendered from; every value was checked. */
export interface Configuration {
  /** The name by which nodes reach the server, over TLS. */
  readonly domain: string
  /** The domain in which nodes have names. */
  readonly baseDomain: string
  /** The network of which nodes get IPv4 addresses. */
  readonly subnet: string
  /** Whether nodes are told the names of others. */
  readonly magicDns: boolean
  /** The DNS servers that nodes use. */
  readonly nameservers: readonly string[]
}

const mark = '# Written by Hostreeve: change the settings of the VPN there.'

/** True for a file that the panel rendered. */
export const isOwn = (text: string): boolean => text.startsWith(mark)

/** What every configuration has. The relay and the log of this host are its own: nothing is asked of others. */
const fixed = `listen_addr: 127.0.0.1:${apiPort}
metrics_listen_addr: 127.0.0.1:50444
grpc_listen_addr: 127.0.0.1:50443
unix_socket: ${dataDirectory}/headscale.sock
unix_socket_permission: "0700"
noise:
  private_key_path: ${dataDirectory}/noise_private.key
database:
  type: sqlite
  sqlite:
    path: ${databasePath}
    write_ahead_log: true
derp:
  server:
    enabled: true
    region_id: 999
    region_code: hostreeve
    region_name: "Relay of this host"
    verify_clients: true
    stun_listen_addr: "0.0.0.0:${relayPort}"
    private_key_path: ${dataDirectory}/derp_server_private.key
    automatically_add_embedded_derp_region: true
  urls: []
  paths: []
  auto_update_enabled: false
disable_check_updates: true
log:
  level: info
  format: text
policy:
  mode: database
`

/** Renders the configuration. Texts are quoted as JSON, which YAML includes. */
export function renderConfiguration({
  domain,
  baseDomain,
  subnet,
  magicDns,
  nameservers,
}: Configuration): string {
  return `${mark}
server_url: ${JSON.stringify(`https://${domain}`)}
${fixed}prefixes:
  v4: ${JSON.stringify(subnet)}
  v6: ${JSON.stringify(subnetV6)}
  allocation: sequential
dns:
  magic_dns: ${magicDns}
  base_domain: ${JSON.stringify(baseDomain)}
  override_local_dns: ${nameservers.length > 0}
  nameservers:
    global: ${JSON.stringify(nameservers)}
`
}

/** The unit of the control server, which may not end by itself while nodes are connected that it has cut off. */
export const unit = `${mark}
[Unit]
Description=Control server of the mesh VPN (headscale)
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${programPath} -c ${configurationPath} serve
Restart=on-failure
RestartSec=2
TimeoutStopSec=10
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectHome=yes
ProtectSystem=strict
ReadWritePaths=${dataDirectory}
PrivateTmp=yes
PrivateDevices=yes

[Install]
WantedBy=multi-user.target
`
