#!/bin/sh
# npm start [-- COMMAND ...]: installs the locked packages, builds what changed, and becomes the panel. A shell can be replaced by it; a
# wrapper in JavaScript would stay, with 50 MB of its own, and would have to pass each signal on.
set -eu
cd "$(dirname "$0")/.."

# Times of change, not of modification: a copied or unpacked file keeps the latter.
is_newer() { # is_newer THAN PATH...
  than=$1
  shift
  [ ! -e "$than" ] || [ -n "$(find "$@" -cnewer "$than" -print | head -n 1)" ]
}

if [ -e src/app/main.ts ]; then
  if is_newer node_modules/.package-lock.json package-lock.json ||
    is_newer dist/sources.sha256 src scripts/build.ts scripts/bundle.ts scripts/first-use package.json package-lock.json vite.config.ts; then
    node=node_modules/.bin/node
    [ -x "$node" ] || node=node
    "$node" scripts/prepare.mjs || [ $? = 3 ] # 3: dist/ cannot be written
  fi
fi
[ $# != 0 ] || set -- serve
exec bin/hostreeve "$@"
