export { askPort, transports } from './port.ts'
export { askPublicAddress } from './public-address.ts'
