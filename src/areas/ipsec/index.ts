export { ipsec } from './area.ts'
export { remoteSubnets } from './status.ts'
