import { point } from '../../core/point.ts'

/** The networks behind enabled IPsec tunnels: the mesh reaches them through this host. */
export const ipsecSubnets = point<() => Promise<readonly string[]>>('IPsec subnets')
