import { at, failures } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { UserMissing } from '../databases/index.ts'
import { KeyMissing } from './problems.ts'

const { NotAnswering, SqlRefused } = connectProblems

/** The server of the databases of a website does not answer as it should. */
export const databasesFailed = { program_unreachable: at(503, NotAnswering, SqlRefused) }

/** Failures that prevent a backup of a website. */
export const notBackedUp = failures(databasesFailed, { conflict: KeyMissing })

/** Failures that prevent a backup to which a change could go back. */
export const noWayBack = failures(notBackedUp, { conflict: UserMissing })
