export { vpnGateway } from './area.ts'
export { ipsecSubnets } from './ipsec-subnets.ts'
