/** The version that the panel installs: others have other API calls. */
export const version = '0.29.3'

export const programPath = '/usr/local/bin/headscale'
export const configurationDirectory = '/etc/headscale'
export const configurationPath = `${configurationDirectory}/config.yaml`
export const dataDirectory = '/var/lib/headscale'
export const databasePath = `${dataDirectory}/db.sqlite`
export const unitPath = '/etc/systemd/system/headscale.service'

/** The key by which the panel asks the API, with the time of its end. Only root can read it. */
export const keyPath = '/root/.hostreeve-headscale.json'

/** Its port on loopback, which the web server forwards to. */
export const apiPort = 8085

/** The port at which nodes learn their outer address (STUN), on all addresses. */
export const relayPort = 3478

/** The network that tailscale nodes can have addresses in (RFC 6598); any other is refused by them. */
export const widestSubnet = '100.64.0.0/10'
export const subnetV6 = 'fd7a:115c:a1e0::/48'
