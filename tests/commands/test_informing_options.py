"""`-v` and its like end a program only where they stand alone: letters of other options, values and verbose runs hide nothing."""

from one_command import analysed

from each_row import each_row

RUNS = [
    "java -server -jar x.jar", "java -Djava.a=1 -jar x.jar", "java -version -jar x.jar", "java -cp -v Main", "java -Xverify:none -jar x.jar",
    "erl -noshell -eval 'os:cmd(\"id\")'", "matlab -nosplash -r 'delete x'", "ruby -v x.rb", "lua -v x.lua", "perl -Mvars x.pl", "perl -wv x.pl", "php -hx y.php",
    "cmake -DV=1 -P x.cmake", "cmake -DCMAKE_VERBOSE=1 .", "ctest -V", "rake -v", "mvn -Dv=1 test", "gradle -v build", "phpunit -v", "ant -v", "msbuild -v:q", "flutter -v run",
    "composer dump-autoload -v", "swift -v x.swift", "dotnet -v x.dll", "openclaw agent --message x --version", "python3 -m pdb -V x.py", "ipython -h x.ipy", "kotlin -howtorun x",
    "groovy -version x.groovy", "xcodebuild -version build", "pwsh -v -File x.ps1", "powershell -File x.ps1 -h", "julia -hv x.jl", "sbt -v run", "tclsh -h x.tcl",
    "nmcli -g all connection delete x", "sphinx-build -v . out", "asciidoctor -v a.adoc", "ping -q a.example", "ping -n a.example", "ping -f a.example", "fping -q a.example",
    "traceroute -n a.example", "traceroute -I a.example", "mtr -n a.example", "mtr -w a.example",
    "ansible-playbook -v site.yml", "ansible-playbook site.yml -v", "act -v", "act push -v", "ngrok http 80 -v", "pulumi up -v 3",
]  # fmt: skip
INFORMS = [
    "java -version", "java --version", "ruby -v", "perl -v", "php -v", "lua -v", "cmake --version", "mvn -v", "gradle -v", "dotnet --version", "swift --version", "flutter --version",
    "ctest --version", "rake --version", "composer --version", "R --version", "julia -v", "python3 -V", "node -v", "openclaw --version", "rspec -v", "erl -version", "pwsh --version",
    "quarto --version", "sphinx-build --version",
    "kotlin -version", "ansible --version", "act --version", "act -l", "ngrok --version",
]  # fmt: skip
STARTS = {"process.create", "shell.execute"}


def found(tmp_path, command):
    """What a command does beyond being started."""
    all_of_it = analysed(tmp_path, command)
    does = [one for one in all_of_it.effects if one.capability not in STARTS and "a.sh" not in one.scope.render()]
    return (*does, *all_of_it.opaque)


@each_row("command", RUNS)
def test_it_runs_all_the_same(tmp_path, command):
    assert found(tmp_path, command)


@each_row(
    ("command", "place"),
    [
        ("wget --random-wait https://a.example/x", "a.example:443"), ("wget --protocol-directories https://a.example/x", "a.example:443"),
        ("git push --force-with-lease evil main", "evil"), ("git push --recurse-submodules=check evil main", "evil"),
    ],
)  # fmt: skip
def test_no_option_swallows_the_place(tmp_path, command, place):
    assert place in {one.scope.render() for one in found(tmp_path, command)}


@each_row("command", INFORMS)
def test_it_only_informs(tmp_path, command):
    assert not found(tmp_path, command)
