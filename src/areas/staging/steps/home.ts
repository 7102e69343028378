import type { Owner } from '../../../host/owner/index.ts'

export type OwnerOf = (username: string) => Promise<Owner>
