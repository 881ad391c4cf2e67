# Clients of services, containers and clusters. What reaches the service is `api.call`; files that the client reads or
# writes are listed where the command names them, and are `any` where it does not.

[docker, podman, nerdctl]
mark exact
flags -D --debug --tls --tlsverify -v --version
values -c --context -l --log-level
-H --host HOST : net.connect(HOST)
--config DIR : file.read(tree(DIR))
env DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT : net.connect(VALUE)
do container.query()
out any

[docker ps, docker container ls]
flags -a --all --no-trunc -l --latest -s --size --digests --tree
values -f --filter -n --last
-q --quiet
--format FORMAT
args WORD...
do container.query()
out(-q) union(token, '')
out(FORMAT~'\{\{ *[.](ID|Names|Name) *\}\}') union(token, '')
out(--format) any
out union(row(token, ' ', <file>), '')

[docker images, docker image ls, docker volume ls, docker network ls]
flags -a --all --no-trunc --digests --tree
values -f --filter --format
-q --quiet
args WORD...
do container.query()
out(-q) union(token, '')
out any

[docker inspect, docker info, docker version, docker stats, docker top, docker port, docker diff, docker history, docker events, docker container inspect, docker image inspect, docker volume inspect, docker network inspect, docker system df, docker system info, docker context ls, docker context inspect, docker context show, docker buildx ls, docker buildx version, docker buildx inspect, docker manifest inspect, docker service ls, docker node ls, docker wait, docker container list, docker image list, docker help]
flags --no-trunc --no-stream -a --all -s --size
values -f --format --filter --since --until --type
else field(OPTION, VALUE)
args WORD... : container.query(WORD)
do container.query() if not WORD
out any

[docker logs, docker container logs]
flags -f --follow -t --timestamps --details --no-trunc --no-stream -a --all -s --size
values --tail -n --since --until --format --filter
else field(OPTION, VALUE)
args WORD... : container.query(WORD)
do container.query() if not WORD
out any

[docker search]
else field(OPTION, VALUE)
args WORD...
do web.fetch('docker.io')
out <net>

[docker context]
else field(OPTION, VALUE)
args WORD...
do container.manage(), net.connect(), file.read(any), file.write(any)
out any

[docker manifest]
else field(OPTION, VALUE)
args WORD...
do container.manage()
out any

[docker manifest push]
else field(OPTION, VALUE)
args IMAGE : publish(IMAGE)

[docker run, docker create, docker container run, docker container create]
style posix
flags -d --detach -i --interactive -t --tty --rm --init -P --publish-all --read-only --no-healthcheck --disable-content-trust --oom-kill-disable
 -q --quiet --sig-proxy
values -e --env -w --workdir -u --user --name -p --publish --network --net -h --hostname --entrypoint --restart --platform --gpus -m --memory --cpus
 --shm-size -l --label --ulimit --cap-drop --security-opt --add-host --dns --ipc --pid --uts --userns --expose --health-cmd
 --health-interval --health-timeout --health-retries --health-start-period --log-driver --log-opt --runtime --tmpfs --stop-signal --stop-timeout --link
 --pull -a --attach --cgroup-parent -c --cpu-shares --cpuset-cpus --domainname --group-add --ip --isolation --mac-address --memory-swap --network-alias
 --pids-limit --storage-opt --sysctl --volume-driver --volumes-from --detach-keys --annotation --blkio-weight --dns-search --cpu-period --cpu-quota
-v --volume VOLUME : file.read(tree(before(VOLUME, ':'))), file.write(tree(before(VOLUME, ':')))
--mount MOUNT : file.read(any), file.write(any)
--privileged : system.configure('root'), file.read(any), file.write(any), opaque 'the container is not kept apart from this machine'
--cap-add CAPABILITY : opaque 'the container is not kept apart from this machine' if CAPABILITY~'(?i)(cap_)?(all|sys_admin|sys_module|sys_rawio|sys_ptrace|dac_read_search)'
--device DEVICE : file.read(before(DEVICE, ':')), file.write(before(DEVICE, ':')), file.read(but(DEVICE, '.*:.*')), file.write(but(DEVICE, '.*:.*'))
--env-file --label-file FILE : file.read(FILE)
--cidfile OUT : file.write(OUT)
args IMAGE COMMAND... : container.run(IMAGE)
out any

[docker exec, docker container exec]
style posix
flags -d --detach -i --interactive -t --tty --privileged
values -e --env -u --user -w --workdir --detach-keys
--env-file FILE : file.read(FILE)
args CONTAINER COMMAND... : container.run(CONTAINER)
out any

[docker cp, docker container cp]
flags -a --archive -L --follow-link -q --quiet
args SRC DST : file.read(tree(local(SRC))), file.write(tree(local(DST))), container.manage()

[docker build, docker buildx, docker buildx build, docker image build, docker builder, docker buildx bake, docker buildx create, docker buildx use]
-t --tag IMAGE : container.manage(IMAGE)
values --build-arg --target --platform --network --label --progress --cache-from --ssh --shm-size --add-host --builder --provenance --sbom --name --driver
-f --file FILE : file.read(FILE)
-o --output --iidfile --metadata-file --cache-to OUT : file.write(any)
--secret SECRET : secret.read(any)
--push : publish()
else field(OPTION, VALUE)
args DIR : file.read(tree(DIR)) if not DIR~'https?:.*', web.fetch(only(DIR, 'https?:.*'))
do container.manage() if not -t
out any

[docker pull, docker image pull]
else field(OPTION, VALUE)
args IMAGE : container.manage(IMAGE), web.fetch(registry(IMAGE))

[docker push, docker image push]
else field(OPTION, VALUE)
args IMAGE : publish(IMAGE)

[docker login, docker logout]
values -u --username -p --password
flags --password-stdin
else field(OPTION, VALUE)
args HOST
do secret.write('~/.docker/config.json'), api.call(HOST), api.call('docker.io') if not HOST

[docker save, docker export, docker image save, docker container export]
-o --output OUT : file.write(OUT)
else field(OPTION, VALUE)
args WORD... : container.query(WORD)
out any

[docker load, docker import, docker image load]
-i --input FILE : file.read(FILE)
else field(OPTION, VALUE)
args FILE_... : file.read(FILE_)
do container.manage()

[docker start, docker restart, docker stop, docker kill, docker rm, docker rmi, docker pause, docker unpause, docker rename, docker tag, docker commit, docker update, docker attach, docker network, docker network create, docker network rm, docker network connect, docker network disconnect, docker network prune, docker volume, docker volume create, docker volume rm, docker volume prune, docker system, docker system prune, docker image, docker image prune, docker image rm, docker image tag, docker container, docker container prune, docker container rm, docker container stop, docker container start, docker builder prune, docker swarm, docker service, docker stack, docker secret, docker plugin, docker node, docker machine, docker scout, docker trust, docker model, docker mcp, docker desktop, docker sbom, docker checkpoint]
values -t --time -s --signal -f --filter -m --message -a --author
else field(OPTION, VALUE)
args WORD... : container.manage(WORD)
do container.manage() if not WORD
out any

[docker compose, docker-compose, podman-compose]
flags --verbose --ansi --compatibility --dry-run --all-resources
values -p --project-name --profile --parallel --progress
-f --file FILE : file.read(FILE)
--env-file FILE_ : file.read(FILE_)
--project-directory DIR : chdir(DIR)
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml') if not -f, container.manage(), container.run()
out any

[docker compose ps, docker compose logs, docker compose images, docker compose top, docker compose port, docker compose version, docker compose ls, docker compose events, docker compose stats, docker compose volumes]
-f --follow
-o --output OUT : file.write(OUT)
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml'), container.query()
out any

[docker compose config, docker compose convert]
-o --output OUT : file.write(OUT)
--env-file FILE_ : file.read(FILE_)
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml'), file.read('.env'), container.query()
out any

[docker compose down, docker compose stop, docker compose start, docker compose restart, docker compose rm, docker compose kill, docker compose pause, docker compose unpause, docker compose create, docker compose scale, docker compose wait]
values -t --timeout -s --signal --build-arg --progress
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml'), container.manage()
out any

[docker compose build]
values --build-arg --progress -m --memory --ssh --builder
--push : publish()
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml'), file.read(tree('.')), container.manage()
out any

[docker compose pull]
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml'), container.manage(), web.fetch()

[docker compose push]
else field(OPTION, VALUE)
args WORD...
do file.read('docker-compose.yml'), publish()

[docker compose exec, docker compose run]
style posix
flags -d --detach -T --no-TTY --rm --privileged -i --interactive -t --tty --no-deps --service-ports -P --build -q --quiet-pull --use-aliases
values -e --env -u --user -w --workdir --index --name --entrypoint -p --publish -l --label --pull --cap-add --cap-drop
-v --volume VOLUME : file.read(tree(before(VOLUME, ':'))), file.write(tree(before(VOLUME, ':')))
args SERVICE COMMAND... : container.run(SERVICE)
do file.read('docker-compose.yml')
out any

[docker compose cp]
flags -a --archive -L --follow-link --all
values --index
args SRC DST : file.read(tree(local(SRC))), file.write(tree(local(DST))), container.manage()

# They run commands that files of the project name.
[helmfile, skaffold, tilt]
--version -h --help
args WORD... : opaque 'the tool runs what files of the project say' if not WORD~'version|help|list|ls'
do container.manage(), container.run(), api.call(), file.read(any), file.write(any), opaque 'the tool runs what files of the project say' if not WORD and not --version
out any

[kubectl, oc, k3s, microk8s, minikube, kind, k3d, k9s, kubeadm, stern, kustomize, argocd, flux, istioctl, cilium, velero, eksctl, kops, crictl, ctr, rancher, kubeseal]
mark exact
flags -h
values --namespace -n --context --cluster --user --request-timeout -l --selector -o --output -c --container --token --as
-s --server SERVER : net.connect(SERVER)
--kubeconfig CONFIG : file.read(CONFIG), opaque 'settings of a cluster can name programs' if not CONFIG~'/.*'
--enable-exec --enable-alpha-plugins --helm-command PLUGINS? : opaque 'plugins are run'
--output-directory OUT : file.write(tree(OUT))
--address ADDRESS : net.listen(ADDRESS)
-f --filename -k --kustomize --values --from-env-file --patch-file FILE : file.read(tree(FILE)) if not FILE~'https?:.*', web.fetch(FILE) if FILE~'https?:.*'
--from-file --cert --key PAIR : file.read(tree(after(PAIR, '='))), file.read(tree(but(PAIR, '.*=.*')))
else workfiles(VALUE, OPERANDS)
args WORD...
do container.manage(), container.run(), api.call(), workfiles(WORD)
env KUBECONFIG : file.read(VALUE), opaque 'settings of a cluster can name programs' if not VALUE~'/.*'
env KUBECTL_EXTERNAL_DIFF KUBE_EDITOR : sh(VALUE)
out any

[kubectl get]
flags -A --all-namespaces -w --watch --no-headers --show-labels --ignore-not-found --watch-only --show-kind
values --sort-by --field-selector -L --label-columns --chunk-size --template --raw --subresource
args WORD... : container.query(WORD), secret.read('kubernetes') if WORD~'(.*,)?secrets?([,/.].*)?'
do container.query() if not WORD
-o --output FORMAT
out(-o, not FORMAT~'wide|custom-columns=:?[.]metadata[.]name.*') any
out union(row(token, ' ', <file>), '')

[kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl version, kubectl cluster-info, kubectl api-resources, kubectl api-versions, kubectl events, kubectl auth, kubectl wait, kubectl diff, kubectl rollout status, kubectl config view, kubectl config get-contexts, kubectl config current-context, kubectl options, kubectl help]
flags -f --follow -p --previous --all-containers --timestamps -A --all-namespaces --no-headers --client -w --watch
values -n --namespace --tail --since -c --container -l --selector --context -o --output --timeout --for
else field(OPTION, VALUE)
args WORD... : container.query(WORD)
do container.query() if not WORD
out any

[kubectl auth reconcile]
else field(OPTION, VALUE)
args WORD...
do container.manage()

[kubectl apply, kubectl create, kubectl delete, kubectl patch, kubectl scale, kubectl label, kubectl annotate, kubectl edit, kubectl replace, kubectl set, kubectl expose, kubectl autoscale, kubectl cordon, kubectl uncordon, kubectl drain, kubectl taint, kubectl rollout, kubectl certificate, kubectl rollout restart, kubectl rollout undo]
else field(OPTION, VALUE)
args WORD... : container.manage(WORD)
do container.manage() if not WORD
out any

[kubectl exec, kubectl run, kubectl debug, kubectl attach]
flags -i --stdin -t --tty -q --quiet --rm -it -ti --attach --expose --privileged
values --image --restart --env --labels --port --overrides --target --image-pull-policy --copy-to --profile --pod-running-timeout --limits --requests
flags --command
else field(OPTION, VALUE)
args POD WORD... : container.run(POD)
do container.run() if not POD
out any

[kubectl port-forward, kubectl proxy]
else field(OPTION, VALUE)
args WORD... : container.query(WORD)
do net.listen('127.0.0.1'), container.query() if not WORD

[kubectl cp]
else field(OPTION, VALUE)
args SRC DST : file.read(tree(local(SRC))), file.write(tree(local(DST))), container.run()

[kubectl config]
else field(OPTION, VALUE)
args WORD...
do file.write('~/.kube/config')
out any

[helm]
mark exact
values -n --namespace --kube-context --version --timeout -o --output --set-string --set-json --username --password --repo --revision --description
-f --values --ca-file --cert-file --key-file FILE : file.read(FILE)
--set-file PAIRS : file.read(after(PAIRS, '=')), file.read(any) if PAIRS~'.*,.*'
--kubeconfig CONFIG : file.read(CONFIG), opaque 'settings of a cluster can name programs' if not CONFIG~'/.*'
--post-renderer COMMAND : run(COMMAND)
--set _
else field(OPTION, VALUE)
env KUBECONFIG HELM_KUBECONFIG HELM_PLUGINS : opaque 'a variable changes what helm runs' if not VALUE~'/.*'
args WORD... : opaque 'a plugin of helm is run' if not WORD~'completion|help|bash|zsh|fish'
do container.query()
out any

[helm plugin install, helm plugin update]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)
do web.fetch()

[helm push]
args WORD... : file.read(only(WORD, '.*[.]tgz')), publish()

[helm dependency, helm dep]
args WORD... : file.read(tree(WORD))
do web.fetch(), file.write(under('.'))
out any

[helm install, helm upgrade, helm uninstall, helm rollback, helm delete, helm test]
args NAME CHART WORD... : container.manage(NAME), file.read(tree(CHART))
out any

[helm template, helm lint, helm show, helm get, helm list, helm ls, helm status, helm history, helm search, helm version, helm env, helm verify, helm show values]
--output-dir OUT : file.write(tree(OUT))
args WORD... : file.read(tree(WORD)) if not WORD~'https?:.*', web.fetch(only(WORD, '(https?|oci):.*'))
do container.query()
out any

[helm registry login, helm registry logout]
use login

[helm repo, helm pull, helm fetch, helm create, helm package, helm plugin, helm registry]
-d --destination --untardir OUT : file.write(tree(OUT))
args WORD...
do web.fetch(), file.write(under('.')), file.write('~/.config/helm')
out any

[gh]
mark exact
flags -h
values -t --template
-R --repo REPO : api.call(only(REPO, '[^/]+/[^/]+/.+')), api.call(only(REPO, 'https?:.*'))
--hostname HOST : api.call(HOST)
-q --jq FILTER
--json FIELDS
-v --version
env GH_HOST : api.call(VALUE)
else field(OPTION, VALUE)
do api.call('api.github.com') if not -v
out <net>

[gh api]
values --cache --preview -p
--hostname HOST : api.call(HOST)
-X --method METHOD
-H --header HEADER
-f --raw-field FIELD
-F --field FIELD_ : argfile(FIELD_)
--input FILE : file.read(FILE)
flags -i --include --paginate --silent --slurp --verbose
args ENDPOINT : api.call('api.github.com'), web.post(only(ENDPOINT, 'https?:.*'))
out(FILTER~'(.*[.|] *)?(length|number|total_count|size|stargazers_count|forks_count|open_issues_count)') union(num, '')
out <net>

[gh pr, gh issue, gh repo, gh run, gh workflow, gh search, gh label, gh project, gh cache, gh ruleset, gh variable, gh org, gh status, gh browse, gh codespace, gh cs, gh attestation, gh discussion]
values -b --body -B --base -H --head -l --label -a --assignee -m --milestone -r --reviewer -s --state -S --search -L --limit --author --add-label --remove-label -c --comment
 -T --reason --branch --event --ref --workflow --created --user --job --commit --title --description --homepage --subject --interval --add-assignee
 --remove-assignee --add-reviewer --match --sort --order --owner --language --visibility --name --raw-field -f --org --env -e
--body-file --input --recover --env-file FILE : file.read(FILE)
-F --field FIELD_ : argfile(FIELD_), file.read(only(FIELD_, '[^=]*'))
-w --web : web.interact('github.com')
else field(OPTION, VALUE)
args WORD... : api.call(only(WORD, 'https?:.*'))
do api.call('api.github.com')
out(FILTER~'(.*[.|] *)?(length|number|databaseId|totalCount|stargazerCount|forkCount|additions|deletions|changedFiles)') union(num, '')
out <net>

[gh pr list, gh pr view, gh pr diff, gh pr status, gh pr checks, gh issue list, gh issue view, gh issue status, gh run list, gh run view, gh run watch, gh repo list, gh repo view, gh workflow list, gh workflow view, gh label list]
values -B --base -H --head -l --label -a --assignee -m --milestone -s --state -S --search -L --limit --author --branch -b --event --user -u --commit --workflow --sort --order --language --visibility -j --job --attempt --interval -i
-w --web : web.interact('github.com')
else field(OPTION, VALUE)
args WORD... : api.call(only(WORD, 'https?:.*'))
do web.fetch('api.github.com')
out(FILTER~'(.*[.|] *)?(length|number|databaseId|totalCount|stargazerCount|forkCount|additions|deletions|changedFiles)') union(num, '')
out <net>

[gh copilot]
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com'), subagent.delegate(PROGRAM)
out <model>

[gh variable set]
-f --env-file FILE_ : file.read(FILE_)
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com')

[gh codespace cp, gh cs cp]
else field(OPTION, VALUE)
args SRC... DST : file.read(tree(local(SRC))), file.write(tree(local(DST))), api.call('api.github.com'), net.connect()

[gh codespace ssh, gh cs ssh, gh codespace ports, gh cs ports, gh codespace jupyter, gh cs jupyter]
else field(OPTION, VALUE)
args WORD... : opaque 'an option of ssh' if WORD~'-.*'
do api.call('api.github.com'), net.connect(), net.listen('127.0.0.1'), secret.read('~/.ssh')
out <net>

[gh gist clone, gh attestation download]
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com'), file.write(under('.'))

[gh pr checkout, gh repo clone, gh repo fork, gh repo sync, gh pr merge, gh run download, gh repo create, gh issue develop, gh pr create]
values -b --body -B --base -H --head -l --label -a --assignee -m --milestone -r --reviewer --title -n --name -p --pattern --remote-name --branch --description --subject --source
-F --body-file --template FILE : file.read(FILE)
-D --dir DIR_ : file.write(tree(DIR_))
--push : commit.push()
-d --delete-branch -s --squash --merge --rebase --auto --admin --draft -f --fill
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com'), commit.create('.'), file.write(under('.')), commit.push(), opaque 'an option of git' if WORD~'-.*'
out <net>

[gh release, gh gist, gh release list, gh release view]
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com')
out <net>

[gh release create, gh release upload, gh release edit, gh release delete, gh gist create, gh gist edit]
-F --notes-file FILE : file.read(FILE)
values -t --title -n --notes --target --notes-start-tag -d --desc -f --filename
else field(OPTION, VALUE)
args TAG FILE_... : file.read(FILE_), publish('github.com')
do publish('github.com')
out <net>

[gh release download]
-O --output OUT : file.write(OUT)
-D --dir DIR : file.write(tree(DIR))
values -p --pattern -A --archive
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com'), file.write(under('.')) if not -O and not -D

[gh auth, gh auth login, gh auth refresh, gh auth logout, gh auth switch, gh auth setup-git]
--with-token
else field(OPTION, VALUE)
args WORD...
do secret.write('gh'), secret.read('gh') if --with-token, api.call('api.github.com')
out any

[gh auth token]
else field(OPTION, VALUE)
args WORD...
do secret.read('gh')
out any

[gh config, gh alias]
else field(OPTION, VALUE)
args WORD...
do file.read(under('~/.config/gh')), file.write(under('~/.config/gh'))
out any

[gh secret, gh ssh-key, gh gpg-key]
-f --env-file FILE_ : secret.read(FILE_)
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com')
out any

[gh secret set, gh ssh-key add, gh gpg-key add]
-f --env-file FILE_ : secret.read(FILE_)
else field(OPTION, VALUE)
args WORD...
do secret.write('gh'), api.call('api.github.com')
out any

[gh auth status]
-t --show-token : secret.read('gh')
else field(OPTION, VALUE)
args WORD...
do api.call('api.github.com')
out any

[gh extension, gh ext]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)

[glab login, glab auth, glab init, glab logout]
use login

[glab, hub, tea, bitbucket, jira, linear, acli]
--api-url --api-base --base-url --endpoint --endpoint-url --server ADDRESS_ : api.call(ADDRESS_)
else field(OPTION, VALUE)
env GITHUB_HOST JIRA_SERVER : api.call(VALUE)
args WORD...
do api.call(vendor(PROGRAM)), file.read(tree('.')), commit.create('.'), commit.push()
out <net>

[aws, aws2, awslocal]
--endpoint-url URL : api.call(URL)
values --profile --region --output --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color
flags --debug --no-sign-request --no-verify-ssl --no-paginate --no-cli-pager --version
else argurl(VALUE)
args WORD... : argurl(WORD)
--body --image-bytes --source-file FILE : argurl(FILE), file.read(FILE) if not FILE~'fileb?://.*'
--template-file --config-file FILE_ : file.read(FILE_)
--output-template-file --outfile OUT_ : file.write(OUT_)
do api.call('amazonaws.com')
env AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE : secret.read(VALUE), opaque 'settings of aws can name programs' if not VALUE~'/.*'
env AWS_ENDPOINT_URL* : api.call(VALUE)
env AWS_PAGER : sh(VALUE)
out <net>

[aws s3]
else field(OPTION, VALUE)
args WORD...
do api.call('amazonaws.com')

[aws s3 cp, aws s3 mv, aws s3 sync]
values --exclude --include --acl --storage-class --content-type --cache-control --sse --sse-kms-key-id --metadata --grants --expires --content-encoding
--delete : file.delete(tree(local(DST)))
else field(OPTION, VALUE)
args SRC DST : api.call('amazonaws.com'), file.read(tree(local(SRC))), file.write(tree(local(DST)))

[aws s3api, aws lambda]
else field(OPTION, VALUE)
args WORD... : argurl(WORD)
do api.call('amazonaws.com')
out <net>

[aws bedrock-runtime, aws polly, aws glacier, aws iot-data, aws sagemaker-runtime, aws secretsmanager, aws ssm, aws eks, aws ecr, aws sts]
else argurl(VALUE)
args WORD... : argurl(WORD)
do api.call('amazonaws.com')
out <net>

[aws secretsmanager get-secret-value, aws secretsmanager batch-get-secret-value, aws ecr get-login-password, aws ecr get-authorization-token, aws sts get-session-token, aws sts assume-role, aws sts get-federation-token]
else argurl(VALUE)
args WORD... : argurl(WORD)
do api.call('amazonaws.com'), secret.read(any)
out <net>

[aws ssm get-parameter, aws ssm get-parameters, aws ssm get-parameters-by-path]
--with-decryption : secret.read(any)
else argurl(VALUE)
args WORD...
do api.call('amazonaws.com')
out <net>

[aws ssm start-session]
else argurl(VALUE)
args WORD... : argurl(WORD)
do api.call('amazonaws.com'), net.connect(), net.listen('127.0.0.1')

[aws eks update-kubeconfig]
--kubeconfig CONFIG : secret.write(CONFIG)
else field(OPTION, VALUE)
args WORD...
do api.call('amazonaws.com'), secret.write('~/.kube/config')

[aws s3api get-object, aws s3api get-object-torrent, aws s3api select-object-content, aws lambda invoke, aws bedrock-runtime invoke-model, aws polly synthesize-speech, aws glacier get-job-output, aws iot-data get-thing-shadow, aws sagemaker-runtime invoke-endpoint]
else argurl(VALUE)
values --bucket --key --function-name
--payload PAYLOAD : argurl(PAYLOAD)
args OUT... : file.write(OUT)
do api.call('amazonaws.com')
out <net>

[aws configure get, aws configure list, aws configure export-credentials]
else field(OPTION, VALUE)
args WORD...
do secret.read('~/.aws')
out any

[aws configure, aws sso]
else field(OPTION, VALUE)
args WORD...
do secret.write('~/.aws'), api.call('amazonaws.com')
out any

[supabase login, supabase logout, supabase auth, supabase configure]
use login

[supabase functions]
else field(OPTION, VALUE)
args WORD...
do api.call(vendor(PROGRAM)), workfiles(WORD)
out any

[supabase functions deploy, supabase deploy]
else field(OPTION, VALUE)
args WORD...
do api.call(vendor(PROGRAM)), publish(PROGRAM), workfiles(WORD)
out any

[supabase send, supabase post, supabase tweet, supabase reply, supabase message, supabase msg, supabase toot]
else field(OPTION, VALUE)
args WORD...
do api.call(vendor(PROGRAM)), workfiles(WORD), message.send() if PROGRAM~'imsg|wacli|signal-cli|telegram-cli|tg|slack|slackcat|discord|toot|bird|twurl'
out any

[shopify login, shopify logout, shopify auth, shopify auth login, shopify auth logout]
use login

[shopify, sanity, dbt, buildkite-agent]
--version -h --help
else field(OPTION, VALUE)
args WORD... : opaque 'the tool runs what files of the project say' if not WORD~'version|login|logout|whoami|list|ls|help|debug'
do api.call(), workfiles(WORD)
out any

[supabase, databricks, snowsql, snow, brev, ngc, osmo, nemoctl, neptune, comet, replicate, together, lms, sf, sfdx, contentful, algolia, cloudflare, surge, dokku, caprover, coolify, blobfuse, gdrive, dropbox, onedrive, solana, solana-keygen, spl-token, cast, anvil, chisel, near, bitcoin-cli, geth, eth, starkli, sui, aptos, todoist, gog, gcalcli, khal, notion, obsidian-cli, spotify, spogo, bird, twurl, toot, sonos, hue, tado, kasa, ha, hass-cli, wacli, imsg, signal-cli, telegram-cli, tg, slack, slackcat, discord]
--api-url --api-base --base-url --endpoint --endpoint-url --server ADDRESS_ : api.call(ADDRESS_)
else workfiles(VALUE, OPERANDS)
env SUPABASE_API_URL DATABRICKS_HOST SLACK_API_URL : api.call(VALUE)
args WORD...
do api.call(vendor(PROGRAM)), workfiles(WORD)
out any

[sqlite3]
style long
flags -append -deserialize -lookaside -nofollow -zip -bail -batch -csv -json -html -line -list -markdown -quote -table -tabs -box -column -header -noheader -readonly -interactive -stats -safe -echo -memtrace
 -ascii -unsafe-testing
-version --version -help
values -nonce -separator -newline -nullvalue -mmap -maxsize -vfs
-A WORDS... : file.read(any), file.write(any)
-cmd COMMAND : program('sqlite3', COMMAND, database(DATABASE))
-init FILE : file.read(FILE), script('sqlite3', FILE, database(DATABASE))
args DATABASE SQL... : program('sqlite3', SQL, database(DATABASE)), file.read(database(DATABASE)), db.read(DATABASE),
 file.read(SQL) if DATABASE=='-', file.write(SQL) if DATABASE=='-'
do program('sqlite3', STDIN, database(DATABASE)) if not SQL and not -version
out any
