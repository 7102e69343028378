import { point } from '../../core/point.ts'

/** Is told the address of each sign-in that failed, by its password or by the code of its second factor. */
export const failedSignIns = point<(ip: string) => unknown>('failed sign-ins')
