/** Keys of a repository's own configuration that start no program, reach no other place, or are overridden for every run. `<any>` is a name with any text. */
const harmless = [
  ...[
    'repositoryformatversion',
    'filemode',
    'bare',
    'logallrefupdates',
    'ignorecase',
    'precomposeunicode',
    'symlinks',
    'autocrlf',
    'eol',
  ],
  ...[
    'safecrlf',
    'quotepath',
    'sparsecheckout',
    'sparsecheckoutcone',
    'compression',
    'loosecompression',
    'abbrev',
    'sharedrepository',
  ],
  ...[
    'untrackedcache',
    'splitindex',
    'commentchar',
    'protecthfs',
    'protectntfs',
    'excludesfile',
    'attributesfile',
    'whitespace',
    'trustctime',
  ],
  ...[
    'checkstat',
    'preloadindex',
    'commitgraph',
    'multipackindex',
    'bigfilethreshold',
    'packedgitlimit',
    'packedgitwindowsize',
    'deltabasecachelimit',
  ],
  ...[
    'fsyncobjectfiles',
    'fsync',
    'warnambiguousrefs',
    'createobject',
    'notesref',
    'longpaths',
    'fscache',
    'hidedotfiles',
    'restrictinheritedhandles',
  ],
].map((name) => `core.${name}`)

const overridden = [
  ...[
    'core.hookspath',
    'core.fsmonitor',
    'core.sshcommand',
    'core.askpass',
    'core.pager',
    'core.editor',
    'sequence.editor',
    'credential.helper',
  ],
  ...[
    'credential.usehttppath',
    'commit.gpgsign',
    'tag.gpgsign',
    'push.gpgsign',
    'log.showsignature',
    'submodule.recurse',
    'maintenance.auto',
  ],
  ...[
    'gpg.program',
    'gpg.openpgp.program',
    'gpg.x509.program',
    'gpg.ssh.program',
    'gpg.format',
    'gpg.ssh.allowedsignersfile',
  ],
]

const other = [
  ...[
    'extensions.objectformat',
    'extensions.worktreeconfig',
    'init.defaultbranch',
    'http.postbuffer',
    'http.lowspeedlimit',
    'http.lowspeedtime',
  ],
  ...[
    'http.version',
    'http.maxrequests',
    'transfer.fsckobjects',
    'transfer.hiderefs',
    'transfer.unpacklimit',
    'merge.renamelimit',
  ],
  'remote.pushdefault', // every push names its remote
]

const remote = new Set([
  'url',
  'pushurl',
  'fetch',
  'push',
  'tagopt',
  'prune',
  'prunetags',
  'mirror',
  'skipdefaultupdate',
  'skipfetchall',
  'gh-resolved',
])
const fetching = new Set([
  'prune',
  'prunetags',
  'parallel',
  'writecommitgraph',
  'fsckobjects',
  'recursesubmodules',
  'unpacklimit',
  'showforcedupdates',
])
const keys = new Set([...harmless, ...overridden, ...other])

/** Whole sections in which no two-part key starts a program; keys that name a program are excluded by name. */
const sections = new Set([
  ...[
    'user',
    'author',
    'committer',
    'branch',
    'push',
    'pull',
    'merge',
    'rebase',
    'diff',
    'gc',
    'pack',
    'index',
    'color',
    'column',
    'advice',
  ],
  ...[
    'status',
    'log',
    'blame',
    'format',
    'tag',
    'versionsort',
    'checkout',
    'apply',
    'i18n',
    'receive',
    'rerere',
    'lfs',
    'gui',
    'gitflow',
  ],
  ...[
    'feature',
    'maintenance',
    'submodule',
    'grep',
    'commit',
    'stash',
    'switch',
    'notes',
    'repack',
    'alias',
    'pager',
  ],
])
const startsPrograms = new Set([
  'diff.external',
  'gc.recentobjectshook',
  'rebase.instructionformat',
  'receive.procreceiverefs',
])

/** Returns true if a key of a repository's configuration, as git lists it (section and last part in lower case), is harmless. */
export function isHarmless(key: string): boolean {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const [section, name] = [key.slice(0, first), key.slice(last + 1)]
  if (keys.has(key)) return true
  if (first === last)
    return section === 'fetch' ? fetching.has(name) : sections.has(section) && !startsPrograms.has(key)
  if (section === 'remote') return remote.has(name)
  if (section === 'branch') return name !== 'mergeoptions'
  return ['submodule', 'lfs', 'gitflow', 'color', 'gui'].includes(section)
}
