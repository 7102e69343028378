import type { Tunnel } from '../configuration.ts'

/** A tunnel between two networks. */
export const sampleTunnel: Tunnel = {
  id: 7,
  generation: '0a1b2c3d',
  localAddress: '192.0.2.1',
  isBound: true,
  remoteAddress: '192.0.2.2',
  remoteId: 'gateway.example.com',
  localSubnet: '10.1.0.0/16',
  remoteSubnet: '10.2.0.0/16',
  version: 2,
  ikeLifetime: 86_400,
  keyLifetime: 3600,
  tunnelLifetime: 28_800,
  dpdDelay: 30,
  dpdTimeout: 120,
  ikeProtections: [
    { enc: 'aes256', auth: 'sha256' },
    { enc: 'aes256gcm16', auth: 'sha384' },
  ],
  espProtections: [
    { enc: 'aes256', auth: 'sha256' },
    { enc: 'aes256gcm16', auth: 'sha384' },
  ],
  group: 'modp2048',
  hasPfs: true,
  detectsReplay: true,
  secret: 'a-secret-of-a-tunnel',
}
