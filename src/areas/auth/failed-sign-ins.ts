import { point } from '../../core/point.ts'

/** Is told the address of each sign-in that failed, by its password, the code of its second factor or its passkey. */
export const failedSignIns = point<(ip: string) => unknown>('failed sign-ins')
