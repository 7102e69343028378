/** The labels of the fields of a server. */
export const targetText = {
  enabled: { label: 'Send the lines', hint: '' },
  server: { label: 'Server', hint: 'Such as logs.example.com' },
  port: { label: 'Port', hint: '514, or 6514 with TLS' },
  protocol: { label: 'Protocol', hint: 'tls encrypts the lines' },
  ca: { label: 'Certificate authority', hint: 'In PEM; empty for those that this host trusts. For TLS only' },
}
