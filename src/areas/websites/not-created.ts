import { failures } from '../../core/endpoint.ts'
import { notServed } from './failures.ts'
import { folderFailures } from './folders.ts'
import { overLicence } from './licensed.ts'
import {
  BelowAnother,
  DomainTaken,
  OwnerUnknown,
  SettingInvalid,
  UpstreamInvalid,
  VersionMissing,
} from './problems.ts'

/** What is wrong with the settings of a website. */
export const settingFailures = [SettingInvalid, UpstreamInvalid, VersionMissing]

/** Every reason why a website is not created. */
export const notCreated = failures(
  { bad_request: [DomainTaken, BelowAnother, OwnerUnknown, ...settingFailures] },
  overLicence,
  notServed,
  folderFailures,
)
