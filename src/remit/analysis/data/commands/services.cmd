# Command lines of cloud services. What reaches the service is `api.call`; an option that is not listed may name a file.

[gcloud]
flags -q --quiet --log-http --user-output-enabled --no-user-output-enabled --async --no-async --allow-unauthenticated --no-allow-unauthenticated --global --preview --no-traffic --all --tail --follow --force --recursive -r --no-promote --promote --gen2 --no-gen2 --no-cpu-throttling --cpu-boost
 --preemptible --no-address --show-all --uri --private-ip --enable-autoscaling --no-enable-autoscaling --brief --update-adc
values --project --account --region --zone --zones --format --filter --limit --sort-by --page-size --verbosity --configuration --billing-project --impersonate-service-account --location --name --display-name --description --machine-type --image --image-family --image-project --boot-disk-size --boot-disk-type --tags --labels --update-labels
 --network --subnet --runtime --entry-point --memory --cpu --timeout --concurrency --max-instances --min-instances --service-account --set-env-vars --update-env-vars --set-secrets --update-secrets --port --platform --member --role --trigger-topic --trigger-bucket --topic --topic-project --schedule --http-method
 --num-nodes --node-count --cluster --instance --database --tier --database-version --root-password --storage-class -l --default-storage-class --service --services --version --versions --secret --replication-policy --ack-deadline --message --attribute --message-body --substitutions --tag -t --repository-format --repository --accelerator --scopes --metadata --severity --freshness --order
 --allow --rules --source-ranges --target-tags --direction --priority --types --start-time --end-time --keyring --key --purpose --iam-account --condition --title --expression --project-id --organization --folder --billing-account --stage --permissions --to-revisions --ingress --execution-environment --args --command --tasks --max-retries --size --node-type
do api.call('googleapis.com')
args WORD...
--flags-file --env-vars-file --source-ip-ranges-file --policy-file --metadata-from-file --data-file --key-file --config --body-file --cred-file --file --from-file --certificate --private-key --schema --message-body-from-file --openapi-spec --ssl-certificate FILE : file.read(any)
--source SOURCE : file.read(tree(SOURCE))
--plaintext-file --ciphertext-file FILE_ : file.read(FILE_), file.write(FILE_)
--destination --output-file --out-file OUT : file.write(any)
--trigger-http
else file.read(any)
out any

[gcloud config, gcloud components, gcloud auth]
args WORD...
do file.write(under('~/.config/gcloud'))
out any

[gcloud config get-value, gcloud config get, gcloud config list, gcloud config configurations list, gcloud info, gcloud version, gcloud help, gcloud auth list, gcloud components list]
args WORD...
out any

# What their sub-commands do is not told apart.
[gcloud beta, gcloud alpha]
args WORD...
do api.call('googleapis.com'), file.read(any), file.write(any), net.connect(), secret.read(any), publish('googleapis.com')
out any

[gcloud iam, gcloud iam service-accounts, gcloud iam service-accounts keys, gcloud secrets, gcloud secrets versions]
args WORD...
do api.call('googleapis.com')
out any

[gcloud iam service-accounts keys create]
args OUT : secret.write(OUT), file.write(OUT)
do api.call('iam.googleapis.com')

[gcloud secrets versions access]
args WORD...
do api.call('secretmanager.googleapis.com'), secret.read(any)
out <net>

[gcloud compute config-ssh]
args WORD...
do api.call('compute.googleapis.com'), file.write(under('~/.ssh')), secret.write('~/.ssh')

[gcloud cloud-shell]
args WORD...
do api.call('googleapis.com'), net.connect(), opaque 'an option of ssh'

[gcloud config configurations]
args WORD...
do file.write(under('~/.config/gcloud'))

[gcloud components install, gcloud components update, gcloud components remove]
args WORD... : package.install(WORD)
do package.install() if not WORD

[gcloud auth login, gcloud auth application-default, gcloud auth activate-service-account, gcloud auth configure-docker, gcloud auth revoke]
args WORD...
--key-file KEY : secret.read(KEY)
do api.call('accounts.google.com'), secret.write(under('~/.config/gcloud'))

[gcloud auth application-default login, gcloud auth application-default set-quota-project]
args WORD...
do api.call('accounts.google.com'), secret.write(under('~/.config/gcloud'))

[gcloud auth print-access-token, gcloud auth print-identity-token, gcloud auth application-default print-access-token]
values --audiences
args WORD...
do secret.read(under('~/.config/gcloud')), api.call('googleapis.com')
out union(token, '')

[gcloud storage]
args WORD...
do api.call('storage.googleapis.com')
out any

[gcloud storage cp, gcloud storage rsync, gcloud storage mv, gsutil cp, gsutil rsync, gsutil mv]
mark exact
flags -r -R --recursive -n --no-clobber -c --continue-on-error -p --preserve-posix -P -v -Z -e -m -u -C -D --skip-unsupported --gzip-in-flight-all --do-not-decompress --checksums-only
values -z -j -x --exclude --content-type --cache-control --storage-class -a --gzip-in-flight --gzip-local --predefined-acl --custom-metadata --canned-acl
-d --delete-unmatched-destination-objects : file.delete(tree(local(DST)))
-L OUT : file.write(OUT)
-I : file.read(any)
args SRC... DST : api.call('storage.googleapis.com'), file.read(tree(local(SRC))), file.write(tree(local(DST)))
out any

[gcloud storage ls, gcloud storage cat, gcloud storage du, gcloud storage objects, gcloud storage buckets, gcloud storage rm, gcloud storage hash, gcloud storage sign-url]
args WORD...
do api.call('storage.googleapis.com')
out <net>

[gcloud compute]
args WORD...
do api.call('compute.googleapis.com')
out any

[gcloud compute ssh]
values --zone --command --container
flags --tunnel-through-iap --internal-ip --dry-run --plain
--ssh-flag --ssh-key-file WORD_ : opaque 'an option of ssh'
args HOST COMMAND... : net.connect(HOST), api.call('compute.googleapis.com'), secret.read('~/.ssh'), opaque 'an option of ssh' if COMMAND~'-.*'
out <net>

[gcloud compute scp]
flags --recurse --tunnel-through-iap --internal-ip --compress --plain
--scp-flag --ssh-key-file WORD_ : opaque 'an option of scp'
args SRC... DST : net.connect(host(SRC)), net.connect(host(DST)), file.read(tree(local(SRC))), file.write(tree(local(DST))), api.call('compute.googleapis.com')

[gcloud builds]
args WORD...
do api.call('cloudbuild.googleapis.com')

[gcloud builds submit]
values --tag --substitutions --machine-type --timeout --gcs-source-staging-dir --gcs-log-dir --disk-size --pack
--config CONFIG : file.read(CONFIG)
flags --async
args SOURCE : file.read(tree(SOURCE))
do api.call('cloudbuild.googleapis.com'), file.read(tree('.')) if not SOURCE and not --no-source
--no-source
out any

[gcloud container]
args WORD...
do api.call('container.googleapis.com')
out any

[gcloud container clusters]
args WORD...
do api.call('container.googleapis.com')
out any

[gcloud container clusters get-credentials]
args WORD...
do api.call('container.googleapis.com'), secret.write('~/.kube/config')

[gcloud run, gcloud functions, gcloud app]
args WORD...
do api.call('googleapis.com')
out any

[gcloud run deploy, gcloud functions deploy, gcloud app deploy]
args WORD...
do api.call('googleapis.com'), publish('googleapis.com'), file.read(tree('.')) if not --image
--image _
out any

[gsutil]
flags -m -q -D -DD
-o SETTING : opaque 'gsutil takes a setting'
-h _
do api.call('storage.googleapis.com')
out any

[gsutil ls, gsutil cat, gsutil du, gsutil stat, gsutil rm, gsutil mb, gsutil rb, gsutil acl, gsutil iam, gsutil label, gsutil lifecycle, gsutil cors, gsutil versioning, gsutil web, gsutil hash, gsutil signurl, gsutil version, gsutil rewrite, gsutil setmeta, gsutil compose, gsutil notification, gsutil defacl, gsutil bucketpolicyonly, gsutil ubla, gsutil logging]
else field(OPTION, VALUE)
args WORD... : file.read(local(WORD)) if WORD~'.*[.](json|xml|txt|pem|key)'
do api.call('storage.googleapis.com')
out <net>

[bq]
mark exact
flags --headless --quiet -q --sync --nosync --debug_mode
values --project_id --location --format --dataset_id --job_id --max_rows_per_request --api
--credential_file --service_account_private_key_file --flagfile --bigqueryrc KEY : secret.read(KEY)
do api.call('bigquery.googleapis.com')
out <net>

[bq query]
flags --nouse_legacy_sql --use_legacy_sql --batch --dry_run --append_table --replace --allow_large_results --require_cache --noflatten_results --use_cache --nouse_cache
values --destination_table --maximum_bytes_billed --max_rows -n --parameter --label --use_legacy_sql=false --time_partitioning_field --schedule --display_name
--udf_resource CODE : file.read(CODE)
args SQL... : db.read(), db.write(written(SQL, any))
do api.call('bigquery.googleapis.com'), db.write(written(STDIN, any)) if not SQL
out <net>

[bq ls, bq show, bq head, bq mk, bq rm, bq cp, bq extract, bq update, bq wait, bq cancel, bq version, bq help, bq insert, bq load]
flags -a --all -d -f -r -t -j --autodetect --replace --noreplace --force --recursive --prettyjson --ignore_unknown_values --allow_jagged_rows
values --source_format --skip_leading_rows --field_delimiter -F --max_bad_records --encoding --null_marker --destination_format --compression --description --expiration --default_table_expiration --label --max_results -n --time_partitioning_type --time_partitioning_field --clustering_fields --view --filter --quote
--schema SCHEMA : file.read(local(SCHEMA)) if SCHEMA~'.*[.]json'
args WORD... : file.read(local(WORD)) if WORD~'.*[.](csv|json|jsonl|ndjson|avro|parquet|orc)'
do api.call('bigquery.googleapis.com'), db.read(), db.write()
out <net>

# `@file` in a value of az is read.
[az]
mark exact
flags --debug --verbose --only-show-errors --no-wait -y --yes --no-browser --recursive --admin --all --show-details -d --https-only --allow-no-subscriptions --enable-managed-identity --force --follow --no-prompt
values -o --output --query --subscription -g --resource-group -n --name -l --location --sku --size --image --admin-username --admin-password --vnet-name --subnet --address-prefix --nsg --port --priority --tags --ids --resource-type --account-name --account-key --sas-token --connection-string --container-name -c --node-count --node-vm-size --kubernetes-version
 --server --database --admin-user --vault-name --value --secret-name --assignee --role --scope --namespace --resource -u --username -p --password --tenant -t --org --organization --project --pipeline --repository --title --description --id --assigned-to --state --branch --wiql --type --area --iteration --fields --runtime --plan --settings --functions-version --storage-account --os-type
 --deployment-name --mode --registry --cluster-name --command-id --pool-id --job-id --task-id --end-time --start-time --interval --metric --metrics --aggregation --workspace -w --analytics-query --top --filter --prefix --num-results --blob-type --tier --expiry --permissions --image-name --cpu --memory --environment --env-vars --secrets --ingress --target-port --min-replicas --max-replicas
 --api-version --uri --url -m --method --headers --body --uri-parameters --lun --publisher --version --protection-level --display-name --endpoint --model-name --model-version --model-format --sku-capacity --sku-name --kind --custom-domain
do api.call('management.azure.com')
args WORD... : argfile(WORD)
-f --template-file --parameters-file --config-file --ssh-key-values --admin-key-file --certificate --key-file --cloud-init --custom-data --template-uri --zip-file --src --src-path --manifest --settings-file --dockerfile FILE_ : file.read(FILE_)
--parameters --value-file --json-auth PARAMETERS : argfile(PARAMETERS), file.read(PARAMETERS) if PARAMETERS~'.*[.](json|bicepparam)'
-s --source SOURCE : file.read(tree(SOURCE))
--file FILE__ : file.read(FILE__), file.write(FILE__)
--destination --output-file --download-path OUT : file.write(tree(OUT))
--generate-ssh-keys : secret.write('~/.ssh')
else file.read(any)
out any

[az login, az logout, az account, az config, az cloud, az configure]
args WORD...
do api.call('login.microsoftonline.com'), secret.write('~/.azure')
out any

[az account show, az account list, az version, az find, az config get, az account list-locations]
args WORD...
do api.call('management.azure.com')
out any

[az account get-access-token]
args WORD...
do api.call('login.microsoftonline.com'), secret.read('~/.azure')
out any

[az extension, az upgrade, az bicep]
args WORD...
do package.install()
out any

[az extension add, az extension update]
-n --name NAME : package.install(NAME)
-s --source SOURCE : package.install(SOURCE)
args WORD...
do package.install() if not NAME and not SOURCE
out any

[az extension list, az extension show, az extension list-available, az bicep version]
args WORD...
out any

[az rest]
-u --uri --url URL : web.post(URL)
-b --body --headers --uri-parameters BODY : argfile(BODY)
--output-file OUT : file.write(OUT)
do api.call('management.azure.com')
out <net>

[az keyvault, az keyvault secret]
args WORD...
do api.call('vault.azure.net')
out any

[az keyvault secret show, az keyvault secret download, az keyvault secret backup]
args WORD...
do api.call('vault.azure.net'), secret.read(any)
out <net>

[az ssh]
args WORD...
do api.call('management.azure.com'), net.connect(), secret.read('~/.ssh'), opaque 'an option of ssh'

[az aks, az acr]
args WORD...
do api.call('management.azure.com')
out any

[az aks get-credentials]
-a --overwrite-existing
-f --file OUT : secret.write(OUT)
args WORD...
do api.call('management.azure.com'), secret.write('~/.kube/config') if not -f

[az acr login]
args WORD...
do api.call('management.azure.com'), secret.write('~/.docker/config.json')

[az acr build, az webapp up, az containerapp up, az functionapp up]
-t --image _
-f --file FILE_ : file.read(FILE_)
args SOURCE : file.read(tree(SOURCE))
do api.call('management.azure.com'), file.read(tree('.')) if not SOURCE
out any

[az storage, az storage blob]
args WORD...
do api.call('blob.core.windows.net')
out any

[az storage blob upload, az storage blob upload-batch]
-f --file FILE : file.read(FILE)
-d --destination _
--overwrite _?
args WORD...
do api.call('blob.core.windows.net')
out any

[az storage blob download, az storage blob download-batch]
-f --file OUT : file.write(OUT)
-s --source _
-d --destination DIR : file.write(under(DIR))
args WORD...
do api.call('blob.core.windows.net')
out any

[az webapp, az containerapp, az functionapp]
args WORD...
do api.call('management.azure.com')
out any

[terraform, tofu]
style long
flags -version --version -help -no-color -input=false -json -compact-warnings -auto-approve -destroy -refresh-only -refresh=false -force -reconfigure -migrate-state -upgrade -recursive -raw -lock=false -get=false -backend=false -force-copy -ignore-remote-version
values -var -target -parallelism -lock-timeout -backend-config -replace -state -lock -input -refresh
-detailed-exitcode
-chdir DIR : chdir(DIR)
-var-file FILE_ : file.read(FILE_)
-out -generate-config-out OUT : file.write(OUT)
-plugin-dir PLUGINS : opaque 'terraform runs programs of a folder'
env TF_CLI_CONFIG_FILE TERRAFORM_CONFIG TF_PLUGIN_CACHE_DIR TF_REATTACH_PROVIDERS TF_DATA_DIR TF_LOG_PATH TF_CLI_ARGS* : opaque 'a variable changes what terraform does'
out any

[terraform init, terraform get, terraform providers]
style long
else field(OPTION, VALUE)
args WORD...
do file.read(tree('.')), file.write(tree('.terraform')), file.write('.terraform.lock.hcl'), package.install('.terraform.lock.hcl'), web.fetch('registry.terraform.io')

[terraform validate, terraform show, terraform output, terraform graph, terraform version, terraform state list, terraform state show, terraform workspace list, terraform workspace show]
style long
else field(OPTION, VALUE)
args WORD... : file.read(WORD) if WORD~'.*[.](tfplan|plan|tfstate|out)'
do file.read(tree('.'))
out any

[terraform login, terraform logout]
style long
else field(OPTION, VALUE)
args HOST
do secret.write('~/.terraform.d/credentials.tfrc.json'), api.call('app.terraform.io')

[terraform state, terraform workspace]
style long
else field(OPTION, VALUE)
args WORD...
do file.read(tree('.')), file.write(under('.')), api.call()
out any

[terraform fmt]
style long
-check -diff
-write WRITE?
-list _
args PATH... : file.read(tree(PATH)), file.write(tree(PATH)) if not -check and not WRITE=='false'
do file.read(tree('.')) if not PATH, file.write(under('.')) if not PATH and not -check and not WRITE=='false'
out any

[terraform plan, terraform refresh]
style long
args WORD...
do file.read(tree('.')), api.call(), source.execute('providers'), opaque 'terraform starts programs that the files of the project name'
out any

[terraform apply, terraform destroy, terraform import, terraform taint, terraform untaint, terraform force-unlock, terraform test]
style long
args WORD...
do file.read(tree('.')), file.write(under('.')), api.call(), source.execute('providers'),
 opaque 'terraform starts programs that the files of the project name'
out any

[ansible, terragrunt, ansible-playbook, ansible-pull, vagrant, packer, pulumi, cdk, sam, serverless, sls, npx/cdk, npx/serverless, npx/aws-cdk]
--version -h --help
args FILE_ _... : opaque 'the tool runs what files of the project say'
do opaque 'the tool runs what files of the project say' if not --version
out any

[ansible-galaxy]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)

[ansible-lint, ansible-inventory, ansible-doc, ansible-config]
-i --inventory FILE_ : file.read(tree(FILE_)), opaque 'an inventory may be a program' if not FILE_~'.*[.](ini|yml|yaml|json|toml)|.*,'
--vault-password-file --vault-id -r --rules-dir -R CODE : opaque 'the tool runs code that an option names'
else field(OPTION, VALUE)
args PATH... : file.read(tree(PATH))
do file.read(tree('.'))
out any

[hf, huggingface-cli, npx/huggingface_hub, npx/huggingface-hub]
flags -q --quiet --json
env HF_ENDPOINT : net.connect(VALUE)
out any

[hf download]
flags --force-download --quiet --resume-download --dry-run
values --repo-type --revision --include --exclude --token --max-workers --local-dir-use-symlinks
--local-dir --cache-dir DIR : file.write(under(DIR))
args REPOSITORY FILE...
do web.fetch('huggingface.co'), file.write(under('~/.cache/huggingface')) if not DIR
out any

[hf upload, hf upload-large-folder]
flags --private --create-pr --quiet
values --repo-type --revision --include --exclude --delete --commit-message --commit-description --token --every --num-workers
args REPOSITORY PATH TARGET : file.read(tree(PATH)), file.read(tree('.')) if not PATH
do publish('huggingface.co')
out any

[hf auth, hf login, hf logout, hf whoami, hf auth login, hf auth logout, hf auth switch]
flags --add-to-git-credential
values --token --token-name
args WORD...
do api.call('huggingface.co'), secret.write('~/.cache/huggingface/token')
out any

[hf auth whoami, hf auth list, hf version, hf env, hf cache, hf cache ls, hf cache scan, hf scan-cache, hf models, hf datasets, hf spaces, hf papers, hf repo list]
else field(OPTION, VALUE)
args WORD...
do web.fetch('huggingface.co')
out any

[hf repo, hf repo create, hf repo delete, hf repo-files, hf tag, hf jobs, hf endpoints, hf cache rm, hf cache prune, hf delete-cache, hf repo tag]
else field(OPTION, VALUE)
args WORD...
do api.call('huggingface.co'), file.read(any)
out any

[ollama]
flags -v --version -h --help
do net.connect('127.0.0.1:11434')
env OLLAMA_HOST : net.connect(VALUE)
out any

[ollama list, ollama ls, ollama ps, ollama show, ollama stop, ollama rm, ollama cp]
flags --license --modelfile --parameters --system --template -v --verbose
args NAME...
do net.connect('127.0.0.1:11434')
out any

[ollama run]
flags --verbose --insecure --nowordwrap --hidethinking
values --keepalive --format --think
args MODEL PROMPT... : subagent.delegate(MODEL)
do net.connect('127.0.0.1:11434')
out <model>

[ollama push]
flags --insecure
args MODEL
do net.connect('127.0.0.1:11434'), publish('registry.ollama.ai')

[ollama pull]
flags --insecure
args MODEL
do net.connect('127.0.0.1:11434'), web.fetch('registry.ollama.ai')

[ollama create]
values -q --quantize
-f --file FILE : file.read(FILE)
args MODEL
do net.connect('127.0.0.1:11434'), file.read('Modelfile') if not -f

[ollama serve]
do net.listen('127.0.0.1:11434')

[rclone]
mark exact
flags -v --verbose -vv -q --quiet -P --progress -n --dry-run -i --interactive -u --update -c --checksum --size-only --ignore-existing --fast-list --no-traverse --stats-one-line --create-empty-src-dirs --immutable --ignore-times --ignore-errors --delete-excluded --copy-links -L --links -l --no-check-certificate --drive-shared-with-me --human-readable --json --files-only --dirs-only -R --recursive --metadata -M
values --transfers --checkers --bwlimit --exclude --include --filter --max-age --min-age --max-size --min-size --max-depth --retries --low-level-retries --timeout --contimeout --stats --log-level --drive-chunk-size --s3-provider --s3-region --s3-endpoint --s3-acl --s3-storage-class --tpslimit --max-delete --max-transfer --buffer-size --order-by --suffix --drive-root-folder-id --format --separator --hash
--config CONFIG : secret.read(CONFIG), opaque 'settings of rclone can name folders and programs' if not CONFIG~'/.*'
--exclude-from --include-from --filter-from --files-from --files-from-raw LIST : file.read(LIST)
--log-file --backup-dir --cache-dir --combined --differ --missing-on-dst --missing-on-src --error --match OUT : file.write(tree(local(OUT)))
--password-command --metadata-mapper COMMAND : run(COMMAND)
--rc : net.listen()
env RCLONE_* : opaque 'a variable changes what rclone does'
out any

[rclone copy, rclone copyto]
args SRC DST : api.call(before(SRC, ':')), api.call(before(DST, ':')), file.read(tree(local(SRC))), file.write(tree(local(DST)))

[rclone sync, rclone bisync]
args SRC DST : api.call(before(SRC, ':')), api.call(before(DST, ':')), file.read(tree(local(SRC))), file.write(tree(local(DST))), file.delete(tree(local(DST)))

[rclone move, rclone moveto]
args SRC DST : api.call(before(SRC, ':')), api.call(before(DST, ':')), file.read(tree(local(SRC))), file.delete(tree(local(SRC))), file.write(tree(local(DST)))

[rclone ls, rclone lsl, rclone lsd, rclone lsf, rclone lsjson, rclone size, rclone tree, rclone cat, rclone about, rclone check, rclone md5sum, rclone sha1sum, rclone hashsum, rclone cryptcheck, rclone link, rclone ncdu]
args WORD... : api.call(before(WORD, ':')), file.read(tree(local(WORD)))
out <net>

[rclone delete, rclone deletefile, rclone purge, rclone rmdir, rclone rmdirs, rclone cleanup, rclone dedupe]
args WORD... : api.call(before(WORD, ':')), file.delete(tree(local(WORD)))

[rclone mkdir, rclone touch, rclone rcat]
args WORD... : api.call(before(WORD, ':')), file.write(tree(local(WORD)))

[rclone listremotes, rclone version, rclone help]
flags --long --check
args WORD...
out any

[rclone config, rclone authorize, rclone obscure]
else field(OPTION, VALUE)
args WORD...
do secret.read('~/.config/rclone'), secret.write('~/.config/rclone'), api.call()
out any

[rclone mount, rclone serve, rclone rcd, rclone nfsmount]
else field(OPTION, VALUE)
args WORD...
do api.call(), net.listen(), system.configure('mounts'), file.read(any), file.write(any)

[vercel, npx/vercel, now]
mark exact
flags -d --debug -y --yes --prod --prebuilt --no-wait --force -f --no-color -p --public --confirm --preview --with-cache --skip-domain --logs
values -S --scope -t --token -e --env -b --build-env -m --meta --regions --target --team -T
-A --local-config FILE_ : file.read(FILE_)
-Q --global-config DIR_ : file.read(tree(DIR_))
--cwd DIR : chdir(DIR)
args PATH : file.read(tree(PATH))
do api.call('api.vercel.com'), publish('vercel.com'), file.read(tree('.')) if not PATH
out any

[vercel ls, vercel list, vercel inspect, vercel logs, vercel whoami, vercel teams, vercel domains, vercel dns, vercel certs, vercel alias, vercel projects, vercel project, vercel rollback, vercel promote, vercel remove, vercel rm, vercel redeploy, vercel help]
else field(OPTION, VALUE)
args WORD...
do api.call('api.vercel.com')
out <net>

[vercel login, vercel logout, vercel switch]
else field(OPTION, VALUE)
args WORD...
do api.call('api.vercel.com'), secret.write('~/.local/share/com.vercel.cli')
out any

[vercel env, vercel pull]
else field(OPTION, VALUE)
args WORD...
do api.call('api.vercel.com'), file.write(under('.')), secret.write('.env.local')
out any

[vercel link, vercel init]
else field(OPTION, VALUE)
args WORD...
do api.call('api.vercel.com'), file.write(under('.'))
out any

[vercel build, vercel dev]
args WORD...
do opaque 'the project is built'

[vercel deploy]
args PATH : file.read(tree(PATH))
do api.call('api.vercel.com'), publish('vercel.com'), file.read(tree('.')) if not PATH
out any

[wandb login]
use login

[wandb agent, wandb launch, wandb launch-agent, wandb local, wandb server]
args WORD...
do api.call('api.wandb.ai'), source.execute(under('.')), opaque 'what the service or the project says is run'

[wandb]
else field(OPTION, VALUE)
env WANDB_BASE_URL : net.connect(VALUE)
args WORD... : file.read(tree(only(WORD, '.*[./].*')))
do api.call('api.wandb.ai'), file.read(under('.')), file.write(under('.')), secret.write('~/.netrc')
out any

[kaggle]
out any

[kaggle datasets, kaggle competitions, kaggle kernels, kaggle models]
out any

[kaggle datasets download, kaggle competitions download, kaggle kernels output, kaggle kernels pull, kaggle models instances]
flags --unzip -q --quiet -o --force -w --wp -m --metadata
values -d --dataset -f --file -c --competition
-p --path DIR : file.write(under(DIR))
args NAME
do api.call('www.kaggle.com'), file.write(under('.')) if not -p
out any

[kaggle datasets list, kaggle datasets files, kaggle datasets status, kaggle competitions list, kaggle competitions files, kaggle competitions submissions, kaggle competitions leaderboard, kaggle kernels list, kaggle kernels status]
else field(OPTION, VALUE)
args WORD...
do api.call('www.kaggle.com')
out <net>

[kaggle competitions submit, kaggle datasets create, kaggle datasets version, kaggle kernels push]
else field(OPTION, VALUE)
-f --file FILE : file.read(FILE)
-p --path DIR : file.read(tree(DIR))
args WORD...
do publish('www.kaggle.com')

[kaggle config, kaggle datasets metadata, kaggle datasets init, kaggle kernels init]
else field(OPTION, VALUE)
-p --path DIR : file.write(tree(DIR))
args WORD...
do file.write(under('.')) if not -p, file.write('~/.kaggle/kaggle.json')

[ngrok config, ngrok authtoken, ngrok login]
use login

[ngrok, cloudflared, localtunnel, lt, npx/localtunnel, bore]
else field(OPTION, VALUE)
--config CONFIG : file.read(CONFIG)
--origincert --credentials-file --authtoken-file KEY : secret.read(KEY)
-v --version
args WORD... : net.connect(), net.listen()
do net.connect() if not -v, net.listen() if not -v
out any

[stripe]
mark exact
values --api-key --project-name --color --log-level -d --data --limit --expand
flags --live --confirm -c
args WORD...
do api.call('api.stripe.com')
out <net>

[stripe listen, stripe trigger, stripe login, stripe config, stripe logs]
else field(OPTION, VALUE)
values --forward-to -f --events
args WORD...
do api.call('api.stripe.com'), net.connect('localhost'), secret.write('~/.config/stripe')
out any

[sbatch, srun, salloc]
style posix
mark exact
flags -W --wait -H --hold --exclusive --parsable -Q --quiet -v --test-only --pty --no-kill --requeue --no-requeue -l --label -u --unbuffered
values -J --job-name -p --partition -A --account -t --time -N --nodes -n --ntasks -c --cpus-per-task --mem --mem-per-cpu --gres -G --gpus --gpus-per-node -a --array -d --dependency -q --qos -C --constraint -w --nodelist -x --exclude --mail-type --mail-user --ntasks-per-node --export --signal --begin --comment -M --clusters --reservation --nice --open-mode --cpu-bind --mpi
-o --output -e --error OUT : file.write(OUT)
-i --input FILE : file.read(FILE)
-D --chdir DIR : chdir(DIR)
--wrap COMMAND : schedule.create(), sh(COMMAND)
args(not --wrap) COMMAND... : run(COMMAND) if PROGRAM~'srun|salloc', script('shell', COMMAND) if PROGRAM=='sbatch'
args WORD...
do schedule.create(), shell(STDIN) if PROGRAM=='sbatch' and not COMMAND and not --wrap
out any

[squeue, sinfo, sacct, sstat, sprio, sshare, seff, qstat, bjobs, bhosts]
else field(OPTION, VALUE)
args WORD...
do schedule.read()
out any

[scancel, qdel, bkill]
else field(OPTION, VALUE)
args JOB... : schedule.delete()
do schedule.delete()

[scontrol]
else field(OPTION, VALUE)
args WORD... : schedule.create() if WORD~'update|hold|release|requeue|suspend|resume|create|delete|reboot'
do schedule.read()
out any

[restic, borg, duplicity]
-r --repo --repository REPOSITORY : file.write(tree(local(REPOSITORY))), file.read(tree(local(REPOSITORY)))
--password-file -p KEY : secret.read(KEY)
--password-command COMMAND : run(COMMAND)
-o --option --rsh --remote-path --ssh-options --sftp-options --rsync-options --stdin-from-command --content-from-command --paths-from-command SETTING? : opaque 'an option names a program that is run'
--target -t DIR : file.write(tree(DIR))
--files-from --exclude-file --iexclude-file LIST : file.read(LIST)
flags -v --verbose -q --quiet --json --no-cache -n --dry-run --stats --progress --list --compression --force --one-file-system -x --cleanup-cache --no-lock --prune --verify
values --tag --host -H --exclude -e --iexclude --include --keep-last --keep-daily --keep-weekly --keep-monthly --keep-yearly --keep-within --prefix -P --limit-upload --limit-download -C --comment --path --encryption
args WORD... : file.read(tree(WORD)), file.write(tree(WORD))
do api.call()
env BORG_RSH BORG_PASSCOMMAND RESTIC_PASSWORD_COMMAND : sh(VALUE)
out any

[s3cmd, azcopy, b2, mc, s5cmd]
else field(OPTION, VALUE)
-c --config CONFIG : secret.read(CONFIG)
--exec COMMAND : sh(COMMAND)
args WORD... : file.read(tree(local(WORD))), file.write(tree(local(WORD)))
do file.delete(tree(local(WORD))) if WORD~'rm|rb|mv|mirror|remove|sync|del'
do api.call()
out any

[act, dagger, earthly]
--version -l --list
args EVENT_ _... : opaque 'what files of the project say is run'
do opaque 'what files of the project say is run' if not --version

[%login]
--api-url --api-base --base-url --endpoint --endpoint-url --server ADDRESS_ : api.call(ADDRESS_)
else field(OPTION, VALUE)
args WORD...
do secret.write(PROGRAM), api.call(vendor(PROGRAM))
out any

[%service]
mark exact
flags --json -j --tail --yes -y --verbose -v --quiet -q --no-header --wait --detach --remote-only --local-only --ha=false
values -a --app --remote --region -t --team --access-token --token --format -o --output --context -c --organization -p --project --org
-f --file --config --dockerfile --env-file --spec --user-data-file FILE_ : file.read(FILE_)
else field(OPTION, VALUE)
--api-url --api-base --base-url --endpoint --endpoint-url --server ADDRESS_ : api.call(ADDRESS_)
args WORD... : file.read(tree(only(WORD, '.*[./].*')))
env HCLOUD_ENDPOINT SENTRY_URL LINODE_CLI_API_HOST DATADOG_SITE TRAVIS_ENDPOINT : api.call(VALUE)
do api.call(vendor(PROGRAM))
out any

[linode-cli, vultr-cli, hcloud, ibmcloud, oci, render, runpodctl, vastai, sentry-cli, newrelic, datadog-ci, pagerduty, circleci, travis, twilio, sendgrid]
use service

[linode-cli login, linode-cli logout, linode-cli auth, linode-cli auth login, linode-cli configure]
use login

[heroku]
use service

[heroku login, heroku logout, heroku auth:login, heroku auth:logout]
use login

[heroku auth:token]
else field(OPTION, VALUE)
args WORD...
do secret.read(PROGRAM)
out any

[heroku local, heroku local:run, heroku local:start]
args WORD...
do source.execute('Procfile'), opaque 'commands of the project are run'

[heroku plugins:install, heroku plugins:update, heroku plugins:link]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE

[heroku run]
else field(OPTION, VALUE)
args WORD...
do api.call('api.heroku.com'), net.connect()
out any

[doctl]
use service

[doctl auth, doctl registry login]
use login

[doctl compute ssh]
else field(OPTION, VALUE)
args WORD...
do api.call('api.digitalocean.com'), net.connect(), secret.read('~/.ssh')

[doctl compute]
args WORD...
do api.call('api.digitalocean.com')
out any

[railway]
use service

[railway login, railway logout]
use login

[railway up]
else field(OPTION, VALUE)
args PATH
do api.call(vendor(PROGRAM)), publish(), file.read(tree('.'))
out any

[railway run]
style posix
args COMMAND... : run(COMMAND)
do api.call(vendor(PROGRAM))

[railway shell, railway connect]
flags -s --service -e --environment
args WORD...
do api.call(vendor(PROGRAM)), shell(STDIN)

[flyctl, fly]
use service

[flyctl auth, flyctl tokens]
use login

[flyctl deploy, flyctl launch]
else field(OPTION, VALUE)
args PATH
do api.call('api.fly.io'), publish('fly.io'), file.read(tree('.')), container.manage()
out any

[flyctl ssh, flyctl proxy]
else field(OPTION, VALUE)
args WORD...
do api.call('api.fly.io'), net.connect()
out any

[gdown]
flags -q --quiet --fuzzy --no-cookies --no-check-certificate -c --continue --folder --remaining-ok --id
values --speed --format --user-agent --proxy
-O --output OUT : file.write(tree(OUT))
args URL... : web.fetch('https://drive.google.com/'), web.fetch(URL) if URL~'https?:.*'
do file.write(under('.')) if not -O, file.write('~/.cache/gdown/cookies.txt'), file.read('~/.cache/gdown/cookies.txt')
out any

[goplaces]
else field(OPTION, VALUE)
args WORD...
do web.fetch('https://places.googleapis.com/'), env.read('GOOGLE_PLACES_API_KEY')
out <net>

[websocat]
flags -1 -n -N -E -t --text -b --binary -v -q --quiet --no-close --exit-on-eof --one-message --oneshot -k --insecure
values -H --header --ping-interval --ping-timeout --max-messages --max-messages-rev --protocol --origin --ua
args URL... : net.connect(URL), opaque 'websocat can start programs and listen' if not URL~'wss?:.*'
out <net>

# What they do besides talking to their service is not told apart.
[neonctl auth]
use login

[rmapi]
else workfiles(VALUE, OPERANDS)
args WORD...
do web.post(), web.fetch(), workfiles(WORD)
out <net>

[neonctl]
else workfiles(VALUE, OPERANDS)
args WORD...
do web.post(), web.fetch(), workfiles(WORD)
out <net>

[kaput]
else field(OPTION, VALUE)
args WORD...
do web.post('api.put.io'), web.fetch(), file.read('~/.kaput'), file.write(), process.create('aria2c')
out <net>
