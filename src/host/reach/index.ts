export { askWeb, type WebAnswer } from './web.ts'
export { askPort, transports } from './port.ts'
export { askAuthorities } from './authorities.ts'
export { askPublicAddress } from './public-address.ts'
