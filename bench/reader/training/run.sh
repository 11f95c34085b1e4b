#!/usr/bin/env bash
# Trains the reader: bash bench/reader/training/run.sh <work folder> <checkout of github.com/jayded/evidence-inference>.
# Needs shared/data beside the project and Python 3.11.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd)
articles=$(cd "$2" && pwd)
export READER_DATA="$root/../shared/data/"
if [ ! -d "$work/venv" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q -r "$here/requirements.txt"
fi
python="$work/venv/bin/python"
node="$root/node_modules/.bin/node"
mkdir -p "$work/jats" "$work/features"
tar xzf "${READER_DATA}jats/articles.tar.gz" -C "$work/jats"
ln -sfn "$root/content" "$work/content"
ln -sfn "$root/bench" "$work/bench"
cd "$work"
for step in collect-records collect-abstracts collect-verdicts collect-prompts; do "$python" "$here/$step.py"; done
"$python" "$here/collect-articles.py" "$articles"
for name in train dev; do "$node" "$here/mark.ts" passages "$name.jl" "features/$name.f.jl"; done
for name in abs-train abs-dev; do "$node" "$here/mark.ts" abstracts "$name.jl" "features/$name.f.jl"; done
"$node" "$here/mark.ts" prompts prompts.jl features/prompts.f.jl
"$node" "$here/mark.ts" articles articles.jl features/articles.f.jl
(cat verd.jl; echo; cat reading-verdicts.jl) > all-verdicts.jl
"$node" "$here/mark.ts" verdicts all-verdicts.jl features/verd.f.jl
"$python" "$here/train.py" features "$root/plugins/evidence/reading/model"
