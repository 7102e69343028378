/** The labels of the fields of a server. */
export const fields = {
  name: { label: 'Name' },
  host: { label: 'Host', hint: 'Host name or IP address of the other panel' },
  port: { label: 'Port' },
  api_key: { label: 'API key', hint: 'Created on the other panel, by a superuser' },
  public_key: {
    label: 'Public key',
    hint: 'SHA-256 of the public key of the other panel; empty: the one that it shows at the first contact',
  },
}
