export { websites } from './area.ts'
export type { Websites } from './context.ts'
export { editWebsite, hardenedSite, withCertificate } from './edit.ts'
export { restoreSupport } from './former-settings.ts'
export { isWildcard } from './names-below.ts'
export { notServed } from './failures.ts'
export {
  existsInHome,
  inHome,
  makeHomeFolder,
  readHomeFile,
  removeEmptyFolder,
  removeFromHome,
  writeHomeFile,
} from './home-files.ts'
export { Overwriting, WebsiteDraft, WebsitePath } from './model.ts'
export { findWebsite, loadAnyWebsite, loadWebsite } from './site.ts'
export { type Loaded as LoadedWebsite, locksOf as websiteLocks } from './site.ts'
export { type SiteParts, siteParts } from './parts.ts'
export { type PhpRules, phpRules, phpSites, phpVersionLock, renewedPools } from './php-site.ts'
export { isPoolSetting } from './settings.ts'
export { phpDirective, PhpVersion } from './settings-model.ts'
export { LimitReached, ownerLimits } from './owner-limits.ts'
export { createdSite, emptySite, newRow, ownerFor, proxySite } from './create.ts'
export {
  defaultSettings,
  type SettingsEdit,
  settingsEdit,
  SiteSettings,
  WebsiteType,
} from './settings-model.ts'
export { renewedPages, withPageCache } from './page-cache.ts'
export { renewGeneration } from './renew-pages.ts'
export { generationName } from './served-cache.ts'
export { pageCacheFields, PageCacheSettings } from './page-cache-model.ts'
export { ruledOwners, sitesUnderRules } from './access.ts'
export { changedSettings, newSettings } from './settings.ts'
export { dnsOf } from './dns.ts'
export { notCreated } from './not-created.ts'
export { deleteWebsite } from './websites.ts'
export type { PartWork } from './parts.ts'
export { HstsWithoutRedirect, SettingInvalid, ZoneRefused } from './problems.ts'
export { type NewZone, type SiteZones, siteZones } from './zones.ts'
