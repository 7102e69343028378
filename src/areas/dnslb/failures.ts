import type { ProblemKind } from '../../core/problem.ts'
import { DiskFull, FileTooLarge } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { notTaken } from '../../tools/dnsdist/index.ts'

/** The reasons why dnsdist does not take a change; everything is then restored. */
export const refused: readonly ProblemKind[] = [...notTaken, ServiceFailed]
/** The reasons why a file is not written. */
export const unwritten: readonly ProblemKind[] = [DiskFull, FileTooLarge]
export const notLive = { config_failed: refused, write_failed: unwritten }
