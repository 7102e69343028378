import { at, failures } from '../../core/endpoint.ts'
import { DiskFailed, DiskFull } from '../../core/problem.ts'
import { RulesNotStored, RulesUnreadable, WebsiteNotFound } from './problems.ts'

/** Of every endpoint that reads an owner's rules. */
export const ofReading = { not_found: WebsiteNotFound, read_error: RulesUnreadable }

/** Of every endpoint that changes them. */
export const ofWriting = failures(ofReading, { write_error: at(500, RulesNotStored, DiskFull, DiskFailed) })
